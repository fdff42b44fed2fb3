//! The same thing by every way in which it arrives has the same columns: by file, by DAV or IMAP from a real server, and from Google
//! and Microsoft.

mod events;
mod mails;
mod people;

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use sextant_formats::{FileEntry, FileReader, FileSource, Options, RecordFields};

use crate::support::store::Store;

/// Columns that hold by which way a thing came, or the words in which it did.
const OF_THE_WAY: [&str; 7] = [
    "id",
    "calendar",
    "mailbox",
    "mailbox_id",
    "series_source_id",
    "raw",
    "raw_ical",
];

/// When the round is.
fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + Duration::days(20_514)
}

/// What an import of a file stores of it.
fn by_file(name: &str, text: &str) -> Vec<Value> {
    let source = FileSource::Bytes {
        name: name.to_owned(),
        bytes: text.as_bytes().into(),
    };
    let entries = FileReader::new(Options::default()).entries(&source);
    let records = entries.unwrap().map(|entry| match entry.unwrap() {
        FileEntry::Record { fields, .. } => fields,
        refused @ FileEntry::Refused { .. } => panic!("{refused:?}"),
    });
    own(records)
}

/// What is stored in a table, after a round.
fn by_rounds(store: &Store, target: &str) -> Vec<Value> {
    assert!(store.skipped.is_empty(), "{:?}", store.skipped);
    let records = store.records(target).into_values();
    own(records.map(|record| record.fields.clone()))
}

/// The columns that are the thing's own, of all records, in an order that is the same by every way.
fn own(records: impl Iterator<Item = RecordFields>) -> Vec<Value> {
    let mut own: Vec<Value> = records.map(without_way).collect();
    own.sort_by_key(|fields| fields.get("recurrence_id").map(Value::to_string));
    own
}

fn without_way(mut fields: RecordFields) -> Value {
    for name in OF_THE_WAY {
        fields.remove(name);
    }
    Value::Object(fields)
}

/// The same without some columns.
fn without(records: &[Value], names: &[&str]) -> Vec<Value> {
    let mut records = records.to_vec();
    for fields in records.iter_mut().filter_map(Value::as_object_mut) {
        fields.retain(|name, _| !names.contains(&name.as_str()));
    }
    records
}
