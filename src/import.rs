//! Imports an export into a store without rows (docs/operating.md#export-and-import): all of it in one transaction, or nothing.
//!
//! ```text
//! bundle.rs  opens the zip and checks its directory against its manifest, before a row is read
//! parts.rs   what is stored of it, in which order, and which fields a line may have
//! shape.rs   whether a line has those fields, in kinds that the store takes as they are
//! lines.rs   reads entries as batches of lines and checks their digests, on a thread that may block
//! store.rs   the transaction
//! ```
//!
//! Connections and agents that are there already stay as they are; a connection takes the rows that came by it.
//!
//! Lines are passed to PostgreSQL unchanged; here they are only checked. An error names the entry and the line, and quotes none
//! of their text. Nothing is unpacked onto the disk, and no name in the zip is used as a path.
//!
//! Not imported: the audit log, the files in other formats (their digests are checked), secrets and keys, which an export does
//! not hold. Derived rows are imported as they were, and then settled like any others: in this store's own zone.

pub(crate) mod bundle;
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

/// The bounds of an import, which tests change, and the folder of its temporary file.
#[derive(Clone, Debug)]
pub struct ImportLimits {
    /// The largest file, as it is sent, in bytes.
    pub file_bytes_max: u64,
    /// The longest silence while it is sent.
    pub silence_max: Duration,
    /// The folder of the temporary file, which has no name that others could open.
    pub folder: PathBuf,
}

impl ImportLimits {
    /// The default limits, with this folder.
    pub const fn in_folder(folder: PathBuf) -> Self {
        Self {
            file_bytes_max: 64 * 1024 * 1024 * 1024,
            silence_max: Duration::from_secs(30),
            folder,
        }
    }
}

/// How many imports run at once: a second one would find rows in the store.
pub(crate) const AT_ONCE_MAX: usize = 1;

/// What was imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// By table (`sector.table`): how many rows were stored.
    pub tables: BTreeMap<String, u64>,
    /// New connections.
    pub connections: u64,
    /// The labels of connections that were there before; they are unchanged.
    pub connections_kept: Vec<String>,
    /// The accounts of new sign-ins.
    pub sign_ins: Vec<String>,
    /// The names of new agents.
    pub agents: Vec<String>,
    /// The names of agents that were there before; they are unchanged.
    pub agents_kept: Vec<String>,
}

/// Why the file cannot be imported: the entry and line, and a sentence that quotes no value of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    pub entry: Option<String>,
    pub line: Option<u64>,
    pub fault: Cow<'static, str>,
}

impl Unfit {
    /// A fault of the file as a whole.
    pub fn whole(fault: impl Into<Cow<'static, str>>) -> Self {
        Self {
            entry: None,
            line: None,
            fault: fault.into(),
        }
    }

    /// A fault of one entry.
    pub fn entry(name: &str, fault: impl Into<Cow<'static, str>>) -> Self {
        Self {
            entry: Some(name.to_owned()),
            ..Self::whole(fault)
        }
    }

    /// A fault of one line of an entry, counted from 1.
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
