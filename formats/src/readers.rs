//! The readers: one for each kind of file, and the table of the file extensions that each reads.
//!
//! ```text
//! calendar   .ics                           contacts   .vcf
//! mail       .eml, .emlx, .mbox, Maildir    health     export.xml of Apple Health
//! bank_csv   .csv of banks                  bank_ofx   .ofx and .qfx
//! bank_qif   .qif                           bank_mt940 .sta, .940 and .mt940
//! bank_camt  .xml of banks: camt.052, .053 and .054
//! json       .json: an array of records     jsonl      .jsonl and .ndjson: a record a line
//! xml          which of the readers an .xml is for; markup: bytes to tags and texts, for both of them
//! account_number, stated_balance  what statements of all formats say of account numbers and of balances
//! components   the components that calendar and contacts are made of
//! file_reader  what a reader is given besides its file: the options of the push, and what its files share
//! options      what the person says of files that do not say it themselves
//! ```
//!
//! A reader turns one file into a stream of entries. The unit of each is the component or the transaction, never the file, and
//! records plus refusals are all the entries the file holds. Each knows its format and the names of the fields of the tables it
//! fills; none knows HTTP, connections or a database.

use std::io::{self, Read as _};

use self::mail::maildir;
use crate::entry::Entries;
use crate::error::FileError;
use crate::source::FileSource;

mod account_number;
mod bank_camt;
mod bank_csv;
mod bank_mt940;
mod bank_ofx;
mod bank_qif;
pub(crate) mod calendar;
mod components;
mod contacts;
mod file_reader;
mod health;
pub(crate) mod json;
mod jsonl;
pub(crate) mod mail;
mod markup;
mod options;
mod stated_balance;
mod xml;

pub use file_reader::FileReader;
pub use options::{DateOrder, MoneyFlow, Options};

/// The function that reads the files of one format.
pub(crate) type ReadEntries = fn(&FileSource, &FileReader) -> Result<Entries, FileError>;

/// What each file extension is read as.
const FORMATS: [(&str, ReadEntries); 16] = [
    ("ics", calendar::entries),
    ("vcf", contacts::entries),
    ("csv", bank_csv::entries),
    ("ofx", bank_ofx::entries),
    ("qfx", bank_ofx::entries),
    ("qif", bank_qif::entries),
    ("sta", bank_mt940::entries),
    ("940", bank_mt940::entries),
    ("mt940", bank_mt940::entries),
    ("eml", mail::eml),
    ("emlx", mail::emlx),
    ("mbox", mail::mbox),
    ("xml", xml::entries),
    ("jsonl", jsonl::entries),
    ("ndjson", jsonl::entries),
    ("json", json::entries),
];

/// Whether a file begins as one of a format does.
type IsBegun = fn(&FileSource) -> io::Result<bool>;

/// What is known by its beginning, where no extension says what it is.
const BEGINNINGS: [(IsBegun, ReadEntries); 3] = [
    (mail::is_mbox, mail::mbox),
    (bank_mt940::is_one, bank_mt940::entries),
    (bank_camt::is_one, bank_camt::entries),
];

/// A file that holds more bytes than this is not empty.
const BLANKS_MAX: u64 = 4096;

impl FileReader {
    /// Whether it is a bank's statement that does not say whose account it is of. What cannot be read is none.
    pub fn names_no_account(&self, source: &FileSource) -> bool {
        let names_none = match source.extension().to_ascii_lowercase().as_str() {
            "csv" => bank_csv::names_no_account(source),
            "qif" => bank_qif::names_no_account(source),
            _ => return false,
        };
        names_none.is_ok_and(|names_none| names_none)
    }

    /// The entries of a file, read as the format its extension names. Mail is known by what it begins with and by the
    /// folder it lies in too: mail programs give it no extension. Statements are known by what they begin with: banks call them as
    /// they like.
    ///
    /// # Errors
    /// A [`FileError`] when nothing can be read of it. Where reading ends later, that is the last item.
    pub fn entries(&self, source: &FileSource) -> Result<Entries, FileError> {
        let left_behind = self.left_behind.clone();
        let entries = self.read(source)?.inspect(move |entry| {
            let attachments = entry.as_ref().map(mail::attachments_in);
            left_behind.add_many("contents of attachments", attachments.unwrap_or_default());
        });
        Ok(Box::new(entries))
    }

    fn read(&self, source: &FileSource) -> Result<Entries, FileError> {
        if let Some(messages) = source.messages() {
            return Ok(maildir::entries_in_archive(source.path(), messages));
        }
        if source.is_folder() {
            return match maildir::is_maildir(source.path()) {
                true => maildir::entries(source.path()),
                false => Err(FileError::NotThisFormat(
                    "it is a folder: name the files in it",
                )),
            };
        }
        match reader_of(source)? {
            Some(_) if is_blank(source)? => Err(FileError::Empty),
            Some(read) => read(source, self),
            None => Err(FileError::UnknownFormat {
                extension: source.extension(),
                known: FORMATS.map(|(known, _)| format!(".{known}")).join(", "),
            }),
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

/// The function that reads a file, by its name or else by what it begins with.
pub(crate) fn reader_of(source: &FileSource) -> io::Result<Option<ReadEntries>> {
    match reader_by_name(source) {
        Some(read) => Ok(Some(read)),
        None if source.path_on_disk().is_some_and(maildir::holds) => Ok(Some(mail::eml)),
        None => reader_by_beginning(source),
    }
}

fn reader_by_beginning(source: &FileSource) -> io::Result<Option<ReadEntries>> {
    for (is_begun, read) in BEGINNINGS {
        if is_begun(source)? {
            return Ok(Some(read));
        }
    }
    Ok(None)
}

/// The function that reads files of this name.
pub(crate) fn reader_by_name(source: &FileSource) -> Option<ReadEntries> {
    let extension = source.extension();
    let known = FORMATS
        .iter()
        .find(|(known, _)| extension.eq_ignore_ascii_case(known));
    known.map(|(_, read)| *read)
}
