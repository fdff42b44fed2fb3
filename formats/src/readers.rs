//! Files people have, turned into records for the ingest route.
//!
//! An importer turns one file into a stream of [`FileEntry`]: a record for a table of the catalogue, or a refusal
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

use std::io::{self, Read as _};

use self::mail::{Singles, maildir};
use crate::entry::{Entries, LeftBehind};
use crate::error::FileError;
use crate::source::FileSource;

mod bank_csv;
mod bank_ofx;
mod calendar;
mod contacts;
mod health;
pub mod json;
mod jsonl;
pub mod mail;
mod options;

pub use options::{DateOrder, Flow, Options};

pub type Importer = fn(&FileSource, &FileReader) -> Result<Entries, FileError>;

/// What each file extension is read as.
pub const FORMATS: [(&str, Importer); 12] = [
    ("ics", calendar::entries),
    ("vcf", contacts::entries),
    ("csv", bank_csv::entries),
    ("ofx", bank_ofx::entries),
    ("qfx", bank_ofx::entries),
    ("eml", mail::eml),
    ("emlx", mail::emlx),
    ("mbox", mail::mbox),
    ("xml", health::entries),
    ("jsonl", jsonl::entries),
    ("ndjson", jsonl::entries),
    ("json", json::entries),
];

/// A file that holds more bytes than this is not empty.
const BLANKS_MAX: u64 = 4096;
/// Reads the files of one push: what the person says of them, and what is to be remembered from one to the next.
#[derive(Debug, Clone, Default)]
pub struct FileReader {
    options: Options,
    singles: Singles,
    left_behind: LeftBehind,
}

impl FileReader {
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
    pub fn names_no_account(&self, source: &FileSource) -> bool {
        source.extension().eq_ignore_ascii_case("csv")
            && bank_csv::names_no_account(source).is_ok_and(|names_none| names_none)
    }

    /// The entries of a file, read as the format its extension names. Mail is known by what it begins with and by the
    /// folder it lies in too: mail programs give it no extension.
    pub fn entries(&self, source: &FileSource) -> Result<Entries, FileError> {
        let left_behind = self.left_behind.clone();
        let entries = self.read(source)?.inspect(move |entry| {
            let attachments = entry.as_ref().map(mail::attachments_in);
            left_behind.add_many("contents of attachments", attachments.unwrap_or_default());
        });
        Ok(Box::new(entries))
    }

    fn read(&self, source: &FileSource) -> Result<Entries, FileError> {
        if let Some(letters) = source.letters() {
            return Ok(maildir::packed(source.path(), letters));
        }
        if source.is_folder() {
            return match maildir::is_maildir(source.path()) {
                true => maildir::entries(source.path()),
                false => Err(FileError::NotThisFormat(
                    "it is a folder: name the files in it",
                )),
            };
        }
        match importer_of(source)? {
            Some(_) if is_blank(source)? => Err(FileError::Empty),
            Some(importer) => importer(source, self),
            None => Err(FileError::UnknownFormat(source.extension())),
        }
    }
}

/// Whether nothing but blanks stands in a file.
fn is_blank(source: &FileSource) -> io::Result<bool> {
    let mut begin = Vec::new();
    let mut reader = source.open()?.take(BLANKS_MAX + 1);
    reader.read_to_end(&mut begin)?;
    let is_whole = begin.len() as u64 <= BLANKS_MAX;
    Ok(is_whole && begin.iter().all(u8::is_ascii_whitespace))
}

/// Who reads a file, by its name or else by what it begins with.
pub fn importer_of(source: &FileSource) -> io::Result<Option<Importer>> {
    Ok(match known(source) {
        Some(importer) => Some(importer),
        None if source.path_on_disk().is_some_and(maildir::holds) => Some(mail::eml),
        None if mail::is_mbox(source)? => Some(mail::mbox),
        None => None,
    })
}

/// Who reads files of this name.
pub fn known(source: &FileSource) -> Option<Importer> {
    let extension = source.extension();
    let known = FORMATS
        .iter()
        .find(|(known, _)| extension.eq_ignore_ascii_case(known));
    known.map(|(_, importer)| *importer)
}
