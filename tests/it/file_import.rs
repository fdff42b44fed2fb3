//! Real files through the readers: every entry is a record or is refused, and each field is right.

mod address_books;
mod archive;
mod bank;
mod broken;
mod broken_contacts;
mod broken_statements;
mod calendar;
mod camt;
mod contacts;
mod fees_and_times;
mod health;
mod health_broken;
mod layouts;
mod mail;
mod mailboxes;
mod mt940;
mod qif;
mod statements;
mod sums;
mod walk;

use std::path::PathBuf;

use serde_json::{Map, Value};
use sextant_formats::{FileEntry, FileError, FileReader, FileSource, Options};

/// The entries of a file, by what became of them.
#[derive(Default)]
struct Read {
    /// Table, line and fields.
    records: Vec<(String, u64, Map<String, Value>)>,
    /// Place and reason.
    refused: Vec<(String, String)>,
}

impl Read {
    fn len(&self) -> usize {
        self.records.len() + self.refused.len()
    }

    /// The fields of the only record with this id.
    fn by_id(&self, id: &str) -> &Map<String, Value> {
        let found: Vec<_> = self
            .records
            .iter()
            .filter(|(.., fields)| fields["id"] == id)
            .collect();
        assert_eq!(found.len(), 1, "records with the id {id}");
        &found[0].2
    }

    fn ids(&self) -> Vec<&str> {
        self.records
            .iter()
            .map(|(.., fields)| fields["id"].as_str().unwrap())
            .collect()
    }
}

fn fixture(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/fixtures")
        .join(path)
}

/// The fixtures in a folder that end in `.extension`, in order.
fn fixtures(folder: &str, extension: &str) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(fixture(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = listed
        .filter(|path| path.extension().is_some_and(|known| known == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no fixtures in {folder}");
    files
}

fn read(source: &FileSource) -> Result<Read, FileError> {
    read_with(source, &Options::default())
}

fn read_with(source: &FileSource, options: &Options) -> Result<Read, FileError> {
    let mut read = Read::default();
    for entry in FileReader::new(options.clone()).entries(source)? {
        match entry? {
            FileEntry::Record {
                target,
                place,
                fields,
            } => read
                .records
                .push((target.unwrap_or_default(), place.line, fields)),
            FileEntry::Refused { place, reason } => read.refused.push((place.to_string(), reason)),
        }
    }
    Ok(read)
}

fn read_fixture(path: &str) -> Read {
    read(&FileSource::File(fixture(path))).unwrap()
}

fn read_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Read {
    read_bytes_with(name, bytes, &Options::default()).unwrap()
}

fn read_bytes_with(
    name: &str,
    bytes: impl Into<Vec<u8>>,
    options: &Options,
) -> Result<Read, FileError> {
    let source = FileSource::Bytes {
        name: name.to_owned(),
        bytes: bytes.into().into(),
    };
    read_with(&source, options)
}
