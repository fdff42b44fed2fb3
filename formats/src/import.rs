//! Files people have, turned into records for the ingest route.
//!
//! An importer turns one file into a stream of [`Entry`]: a record for a table of the catalogue, or a refusal
//! with the place and the reason. The unit of either is the component or the transaction, never the file, and
//! records plus refusals are all the entries the file holds.
//!
//! Each importer knows its format and the field names of the tables it fills (`interfaces.md` §4, §8). None
//! knows HTTP, connections or a database: where the records go is the business of `cli/push`.
//!
//! ```text
//! source.rs    where the bytes come from; may be opened more than once, so that no file need fit into memory
//! lines.rs     physical lines with a limit          text.rs    bytes to text, whatever the file claims
//! identity.rs  source ids from the file's own keys  jsonl.rs   .jsonl, and json.rs: .json
//! options.rs   what the person says of files that do not say it themselves
//! walk/        from the paths a person names to the files in them
//! archive.rs   the files within a zip, each as a stream
//! spool.rs     a file of an archive that can be read only once
//! gzip.rs      .gz of any of these                  left_behind.rs what no table holds, counted
//! ics/         .ics                                 ofx/       .ofx and .qfx
//! mail/        .eml, .emlx, .mbox and Maildir
//! health/      export.xml of Apple Health
//! vcf/         .vcf                                 utf16.rs   UTF-16 read as UTF-8
//! csv/         .csv of banks
//! ```
//!
//! A further format is one module with `entries(&Source, &Reader) -> Result<Entries, ImportError>` and one line in
//! `FORMATS`.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read as _};

use serde_json::{Map, Value};

use self::mail::{Singles, maildir};

pub mod archive;
mod csv;
mod gzip;
mod health;
mod ics;
mod identity;
mod json;
mod jsonl;
mod left_behind;
mod lines;
pub mod mail;
mod ofx;
mod options;
mod source;
mod spool;
mod text;
mod utf16;
mod vcf;
mod walk;

pub use archive::{Archive, Member, MemberFault};
pub use left_behind::{Kinds, LeftBehind};
pub use options::{DateOrder, Flow, Options};
pub use source::{Source, Watcher};
pub use spool::Spooled;
pub use walk::{Found, PassedOver, Walk};

/// The fields of one record, as the ingest route takes them (`interfaces.md` §4).
pub type Fields = Map<String, Value>;

/// The entries of one file, in its order. An error ends the stream: the file can be read no further.
pub type Entries = Box<dyn Iterator<Item = Result<Entry, ImportError>> + Send>;

type Importer = fn(&Source, &Reader) -> Result<Entries, ImportError>;

/// What each file extension is read as.
const FORMATS: [(&str, Importer); 12] = [
    ("ics", ics::entries),
    ("vcf", vcf::entries),
    ("csv", csv::entries),
    ("ofx", ofx::entries),
    ("qfx", ofx::entries),
    ("eml", mail::eml),
    ("emlx", mail::emlx),
    ("mbox", mail::mbox),
    ("xml", health::entries),
    ("jsonl", jsonl::entries),
    ("ndjson", jsonl::entries),
    ("json", json::entries),
];

/// The field in which a record keeps what of its entry could not be taken, a sentence each.
pub const PROBLEMS: &str = "import_problems";

/// A file that holds more bytes than this is not empty.
const BLANKS_MAX: u64 = 4096;
/// How much of a text from a file is repeated in a place or a reason.
const SHOWN_CHARACTERS_MAX: usize = 120;

/// One component, transaction, position or line of a file: what it became.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// To be stored in `target` (`sector.table`), or in the table of the only connection if `None`.
    Record {
        target: Option<String>,
        place: Place,
        fields: Fields,
    },
    /// Not to be stored. The reason is a sentence for the person whose file it is.
    Refused { place: Place, reason: String },
}

/// Where in the file an entry begins, and what it is called there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Counted from 1.
    pub line: u64,
    /// The kind of entry and its own key: `VEVENT 3f2a@example.com`, `STMTTRN 000048`. Empty for a bare line.
    pub name: String,
}

impl Place {
    pub fn new(line: u64, kind: &str, key: &str) -> Self {
        let name = format!("{kind} {key}");
        let name = clipped(name.trim()).into_owned();
        Self { line, name }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => write!(f, "line {}", self.line),
            name => write!(f, "line {}, {name}", self.line),
        }
    }
}

/// Why a file as a whole cannot be read, or cannot be read further.
#[derive(Debug)]
pub enum ImportError {
    Unreadable(io::Error),
    /// The extension names no format we read.
    UnknownFormat(String),
    /// The content is not what the extension says.
    NotThisFormat(&'static str),
    /// The content leaves open what it means, and only the person can say it.
    Undecided(&'static str),
    /// There is nothing in it, and that is no fault.
    Empty,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "the file cannot be read: {error}"),
            Self::UnknownFormat(extension) => {
                let known = FORMATS.map(|(known, _)| format!(".{known}")).join(", ");
                write!(
                    f,
                    "files ending in `{extension}` are not read; known are {known}, .gz of these, .zip, .tar, .tgz"
                )
            }
            Self::Empty => f.write_str("there is nothing in it"),
            Self::NotThisFormat(why) | Self::Undecided(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::UnknownFormat(_) | Self::NotThisFormat(_) | Self::Undecided(_) | Self::Empty => {
                None
            }
        }
    }
}

impl From<io::Error> for ImportError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// What a file says, for showing: a reason names what it refuses, but need not repeat all of it.
pub fn quoted(text: &str) -> String {
    format!("`{}`", clipped(text.trim()))
}

fn clipped(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// Reads the files of one push: what the person says of them, and what is to be remembered from one to the next.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    options: Options,
    singles: Singles,
    left_behind: LeftBehind,
}

impl Reader {
    pub fn new(options: Options) -> Self {
        Self {
            options,
            singles: Singles::default(),
            left_behind: LeftBehind::default(),
        }
    }

    /// What is left behind of the entries that are taken; complete when a file has been read to its end.
    pub fn left_behind(&self) -> &LeftBehind {
        &self.left_behind
    }

    /// Whether it is a bank's statement that does not say whose account it is of. What cannot be read is none.
    pub fn names_no_account(&self, source: &Source) -> bool {
        source.extension().eq_ignore_ascii_case("csv")
            && csv::names_no_account(source).is_ok_and(|names_none| names_none)
    }

    /// The entries of a file, read as the format its extension names. Mail is known by what it begins with and by the
    /// folder it lies in too: mail programs give it no extension.
    pub fn entries(&self, source: &Source) -> Result<Entries, ImportError> {
        let left_behind = self.left_behind.clone();
        let entries = self.read(source)?.inspect(move |entry| {
            let attachments = entry.as_ref().map(mail::attachments_in);
            left_behind.add_many("contents of attachments", attachments.unwrap_or_default());
        });
        Ok(Box::new(entries))
    }

    fn read(&self, source: &Source) -> Result<Entries, ImportError> {
        if let Some(letters) = source.letters() {
            return Ok(maildir::packed(source.path(), letters));
        }
        if source.is_folder() {
            return match maildir::is_maildir(source.path()) {
                true => maildir::entries(source.path()),
                false => Err(ImportError::NotThisFormat(
                    "it is a folder: name the files in it",
                )),
            };
        }
        match importer_of(source)? {
            Some(_) if is_blank(source)? => Err(ImportError::Empty),
            Some(importer) => importer(source, self),
            None => Err(ImportError::UnknownFormat(source.extension())),
        }
    }
}

/// Whether nothing but blanks stands in a file.
fn is_blank(source: &Source) -> io::Result<bool> {
    let mut begin = Vec::new();
    let mut reader = source.open()?.take(BLANKS_MAX + 1);
    reader.read_to_end(&mut begin)?;
    let is_whole = begin.len() as u64 <= BLANKS_MAX;
    Ok(is_whole && begin.iter().all(u8::is_ascii_whitespace))
}

/// Who reads a file, by its name or else by what it begins with.
fn importer_of(source: &Source) -> io::Result<Option<Importer>> {
    Ok(match known(source) {
        Some(importer) => Some(importer),
        None if source.path_on_disk().is_some_and(maildir::holds) => Some(mail::eml),
        None if mail::is_mbox(source)? => Some(mail::mbox),
        None => None,
    })
}

/// Who reads files of this name.
fn known(source: &Source) -> Option<Importer> {
    let extension = source.extension();
    let known = FORMATS
        .iter()
        .find(|(known, _)| extension.eq_ignore_ascii_case(known));
    known.map(|(_, importer)| *importer)
}
