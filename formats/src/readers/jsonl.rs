//! `.jsonl`: one record a line, already in the catalogue's field names. An array of them is read alike (`json.rs`).
//!
//! Records pass through unchanged but for two things: a key `target` (`"finance.transactions"`) says where the
//! record goes and is taken out, and a record without an `id` is given one. Knows no table.

use std::io;

use serde_json::Value;

use crate::entry::identity::Identities;
use crate::entry::{Entries, EntryPlace, FileEntry, RecordFields, quoted};
use crate::error::FileError;
use crate::readers::FileReader;
use crate::source::FileSource;
use crate::text::lines::{TextLine, TextLines};

/// The longest line that is read; a mail with its text is far below.
pub(super) const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The entries of a file.
pub(super) fn entries(source: &FileSource, _: &FileReader) -> Result<Entries, FileError> {
    let lines = TextLines::new(source.open()?, LINE_BYTES_MAX);
    Ok(Box::new(Records::new(lines, "line")))
}

/// Records from the text of each.
pub(super) struct Records<L> {
    lines: L,
    /// What reasons call the text of one: `line`.
    unit: &'static str,
    identities: Identities,
}

impl<L: Iterator<Item = io::Result<TextLine>>> Iterator for Records<L> {
    type Item = Result<FileEntry, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.lines.next()? {
                Err(error) => return Some(Err(error.into())),
                Ok(line) if line.bytes.trim_ascii().is_empty() => {}
                Ok(line) => return Some(Ok(self.entry(&line))),
            }
        }
    }
}

impl<L> Records<L> {
    /// Records from these texts, which reasons call a `unit`.
    pub(super) fn new(lines: L, unit: &'static str) -> Self {
        Self {
            lines,
            unit,
            identities: Identities::default(),
        }
    }

    fn entry(&mut self, line: &TextLine) -> FileEntry {
        let place = EntryPlace::new(line.number, "", "");
        match parse(line, self.unit) {
            Ok((target, fields)) => FileEntry::Record {
                target,
                place,
                fields: self.with_id(fields),
            },
            Err(reason) => FileEntry::Refused { place, reason },
        }
    }

    fn with_id(&mut self, mut fields: RecordFields) -> RecordFields {
        if fields.get("id").is_none_or(Value::is_null) {
            let id = self.identities.id_from_content("", &fields);
            fields.insert("id".to_owned(), Value::from(id));
        }
        fields
    }
}

fn parse(line: &TextLine, unit: &str) -> Result<(Option<String>, RecordFields), String> {
    if line.is_cut {
        return Err(format!("the {unit} is longer than {LINE_BYTES_MAX} bytes"));
    }
    let text = std::str::from_utf8(&line.bytes)
        .map_err(|error| format!("the {unit} is not UTF-8: {error}"))?;
    let value = serde_json::from_str(text);
    match value.map_err(|error| format!("the {unit} is not JSON: {error}"))? {
        Value::Object(fields) => take_target(fields),
        _ => Err(format!("the {unit} is JSON, but not an object")),
    }
}

fn take_target(mut fields: RecordFields) -> Result<(Option<String>, RecordFields), String> {
    match fields.remove("target") {
        None | Some(Value::Null) => Ok((None, fields)),
        Some(Value::String(target)) => Ok((Some(target), fields)),
        Some(other) => Err(format!(
            "`target` is {}, not the name of a table",
            quoted(&other.to_string())
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<FileEntry> {
        let source = FileSource::Bytes {
            name: "x.jsonl".to_owned(),
            bytes: text.as_bytes().into(),
        };
        FileReader::default()
            .entries(&source)
            .unwrap()
            .map(Result::unwrap)
            .collect()
    }

    fn id_of(entry: &FileEntry) -> String {
        let FileEntry::Record { fields, .. } = entry else {
            panic!("refused: {entry:?}")
        };
        fields["id"].as_str().unwrap().to_owned()
    }

    #[test]
    fn a_record_keeps_its_digits_and_names_its_table() {
        let entries = read("{\"target\":\"finance.transactions\",\"id\":\"1\",\"amount\":-1.10}\n");
        let FileEntry::Record { target, fields, .. } = &entries[0] else {
            panic!("refused")
        };
        assert_eq!(target.as_deref(), Some("finance.transactions"));
        assert_eq!(fields["amount"].to_string(), "-1.10");
        assert!(!fields.contains_key("target"));
    }

    #[test]
    fn a_bad_line_is_refused_by_its_number_and_the_rest_goes_on() {
        let entries = read("{\"id\":\"1\"}\n\n{\"id\":\n[1]\n{\"target\":3}\n{\"id\":\"2\"}");
        let refused: Vec<_> = entries
            .iter()
            .filter_map(|entry| match entry {
                FileEntry::Refused { place, .. } => Some(place.line),
                FileEntry::Record { .. } => None,
            })
            .collect();
        assert_eq!(refused, [3, 4, 5]);
        assert_eq!(entries.len(), 5);
    }

    #[test]
    fn equal_records_without_id_stay_two_and_keep_their_ids_on_a_second_push() {
        let coffee = "{\"amount\":-3}\n{\"amount\":-3}\n";
        let first: Vec<_> = read(coffee).iter().map(id_of).collect();
        let second: Vec<_> = read(coffee).iter().map(id_of).collect();
        assert_ne!(first[0], first[1]);
        assert_eq!(first, second);
    }
}
