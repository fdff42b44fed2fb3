//! An export taken back into a store without rows (docs/operating.md#export-and-import): all of it in one transaction, or nothing.
//!
//! ```text
//! bundle.rs  the zip held against its own manifest, before a row is read
//! parts.rs   what is stored of it, in which order, and which fields a line may have
//! shape.rs   whether a line has those fields, in kinds that the store takes as they are
//! lines.rs   entries to batches of lines, each held against its digest, on a thread where blocking is no harm
//! store.rs   the transaction
//! ```
//!
//! Connections and agents that are there already stay as they are; a connection takes the rows that came by it.
//!
//! Lines go to PostgreSQL as they came; here they are only looked at. Whatever is wrong is told by entry and line, and quotes
//! nothing of what stands there. Nothing is ever unpacked onto a disk, and no name in the zip opens a file.
//!
//! What is not brought back: the record, the files in other formats (they are read and held against their digests), secrets
//! and keys, which an export does not hold. Rows that are made of other rows come as they were, and are then settled like any
//! others: in this store's own zone.

pub mod bundle;
mod lines;
mod parts;
mod shape;
mod store;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::db::{StoreError, TxFailure};

pub use self::bundle::Bundle;
pub use self::store::{import_bundle, is_empty};

/// The bounds of an import that a test sets, and where its body lies meanwhile.
#[derive(Clone, Debug)]
pub struct ImportLimits {
    /// The largest file, as it is sent.
    pub file_bytes_max: u64,
    /// The longest silence while it is sent.
    pub silence_max: Duration,
    /// The folder in which it is kept until it is stored; nobody else can see it there.
    pub folder: PathBuf,
}

impl ImportLimits {
    /// The usual ones.
    pub const fn in_folder(folder: PathBuf) -> Self {
        Self {
            file_bytes_max: 64 * 1024 * 1024 * 1024,
            silence_max: Duration::from_secs(30),
            folder,
        }
    }
}

/// How many are under way at once: only one could end well.
pub const AT_ONCE_MAX: usize = 1;

/// What was brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The rows of each table that got any.
    pub tables: BTreeMap<String, u64>,
    pub connections: u64,
    /// The labels of connections that were here already, and were left as they are.
    pub connections_kept: Vec<String>,
    pub agents: Vec<String>,
    /// Agents that were here already, and were left as they are.
    pub agents_kept: Vec<String>,
}

/// What does not fit: where, and why. Never a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    pub entry: Option<String>,
    pub line: Option<u64>,
    pub fault: Cow<'static, str>,
}

impl Unfit {
    /// The file as a whole.
    pub fn whole(fault: impl Into<Cow<'static, str>>) -> Self {
        Self {
            entry: None,
            line: None,
            fault: fault.into(),
        }
    }

    /// One entry of it.
    pub fn entry(name: &str, fault: impl Into<Cow<'static, str>>) -> Self {
        Self {
            entry: Some(name.to_owned()),
            ..Self::whole(fault)
        }
    }

    /// One line of an entry, counted from 1.
    pub fn line(name: &str, line: u64, fault: impl Into<Cow<'static, str>>) -> Self {
        Self {
            line: Some(line),
            ..Self::entry(name, fault)
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.entry, self.line) {
            (Some(entry), Some(line)) => write!(formatter, "{entry}, line {line}: {}", self.fault),
            (Some(entry), None) => write!(formatter, "{entry}: {}", self.fault),
            (None, _) => formatter.write_str(&self.fault),
        }
    }
}

/// Why nothing was imported.
#[derive(Debug)]
pub enum ImportError {
    /// The store holds rows.
    NotEmpty,
    Unfit(Unfit),
    /// The spooled file cannot be read here.
    File(io::Error),
    Store(StoreError),
}

impl fmt::Display for ImportError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEmpty => formatter.write_str("the store holds rows"),
            Self::Unfit(cause) => cause.fmt(formatter),
            Self::File(cause) => write!(formatter, "the file cannot be read: {cause}"),
            Self::Store(cause) => cause.fmt(formatter),
        }
    }
}

impl std::error::Error for ImportError {}

impl From<StoreError> for ImportError {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause)
    }
}

impl From<tokio_postgres::Error> for ImportError {
    fn from(cause: tokio_postgres::Error) -> Self {
        Self::Store(cause.into())
    }
}

impl From<Unfit> for ImportError {
    fn from(cause: Unfit) -> Self {
        Self::Unfit(cause)
    }
}

impl TxFailure for ImportError {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(cause) => Some(cause),
            Self::NotEmpty | Self::Unfit(_) | Self::File(_) => None,
        }
    }
}
