//! What a file is read into: a record for a table of the catalogue, or a refusal with its place and its reason.

mod left_behind;

pub(crate) mod identity;

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

use crate::error::FileError;
pub use left_behind::{KindCounts, LeftBehind};

/// The fields of one record, as the ingest route takes them (the fields of each table are in `docs/pushing.md`).
pub type RecordFields = Map<String, Value>;

/// The entries of one file, in its order. An error ends the stream: the file can be read no further.
pub type Entries = Box<dyn Iterator<Item = Result<FileEntry, FileError>> + Send>;

/// The field in which a record keeps what of its entry could not be taken, a sentence each.
pub const PROBLEMS: &str = "import_problems";

/// The most characters of a text from a file that a place or a reason repeats.
const SHOWN_CHARACTERS_MAX: usize = 120;

/// One component, transaction, position or line of a file: what it became.
#[derive(Debug, Clone, PartialEq)]
pub enum FileEntry {
    /// To be stored in `target` (`sector.table`), or in the table of the only connection if `None`.
    Record {
        /// The table, if the file names it.
        target: Option<String>,
        /// Where it begins.
        place: EntryPlace,
        /// The fields for the table.
        fields: RecordFields,
    },
    /// Not to be stored. The reason is a sentence for the person whose file it is.
    Refused {
        /// Where it begins.
        place: EntryPlace,
        /// A sentence.
        reason: String,
    },
}

/// Where in the file an entry begins, and what it is called there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPlace {
    /// Counted from 1.
    pub line: u64,
    /// The kind of entry and its own key: `VEVENT 3f2a@example.com`, `STMTTRN 000048`. Empty for a bare line.
    pub name: String,
}

impl EntryPlace {
    /// An entry in `line`, of some kind and with a key of its own, either of which may be empty. A long name is cut.
    pub fn new(line: u64, kind: &str, key: &str) -> Self {
        let name = format!("{kind} {key}");
        let name = shorten(name.trim()).into_owned();
        Self { line, name }
    }
}

impl fmt::Display for EntryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => write!(f, "line {}", self.line),
            name => write!(f, "line {}, {name}", self.line),
        }
    }
}

/// Sets a field, if there is a value for it.
pub(crate) fn put(fields: &mut RecordFields, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        fields.insert(name.to_owned(), value.into());
    }
}

/// A text from a file between backticks, shortened, for use in a reason.
pub fn quoted(text: &str) -> String {
    format!("`{}`", shorten(text.trim()))
}

/// A text from a file, cut to what is shown of one.
pub(crate) fn shorten(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}
