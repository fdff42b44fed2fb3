//! The text of one event or card as the columns of a file import.

use serde_json::Value;
use sextant_formats::{FileEntry, FileReader, FileSource, Options, RecordFields};

/// The table of an event.
pub(super) const SERIES: &str = "calendar.series";
/// The table of a person.
pub(super) const PEOPLE: &str = "contacts.people";
/// The table of a group.
pub(super) const GROUPS: &str = "contacts.groups";

/// The columns of the one entry of a text, and what the source sent beside them; `None` if it is not to be stored as it is.
pub(super) fn columns(file: &str, text: &str, target: &str, sent: &Value) -> Option<RecordFields> {
    let source = FileSource::Bytes {
        name: file.to_owned(),
        bytes: text.as_bytes().into(),
    };
    let mut entries = FileReader::new(Options::default()).entries(&source).ok()?;
    let FileEntry::Record {
        target: found,
        mut fields,
        ..
    } = entries.next()?.ok()?
    else {
        return None;
    };
    if found.as_deref() != Some(target) {
        return None;
    }
    // Names and texts that are made here, not there.
    for made in ["id", "raw_ical"] {
        fields.remove(made);
    }
    fields.insert("raw".to_owned(), sent.clone());
    Some(fields)
}
