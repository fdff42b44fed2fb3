//! Collections and bodies as records: the same columns as a file import gives.

use std::collections::HashSet;

use serde_json::Value;
use sextant_formats::{FileEntry, FileReader, FileSource, Options, RecordFields};

use super::discovery::DavCollection;
use super::kind::DavKind;
use crate::digest_key::{digest, within_limit};
use crate::round::{SourceItem, SourceRecord};

/// Parts of a calendar that are no events; a resource that holds nothing else is an item without records.
const WITHOUT_TABLE: [&str; 4] = ["VTODO", "VJOURNAL", "VFREEBUSY", "VAVAILABILITY"];

/// What a body holds.
pub(super) struct BodyRecords {
    pub(super) records: Vec<SourceRecord>,
    /// Whether something in it should have become a record, and did not.
    pub(super) is_partly_unread: bool,
}

/// A collection, which holds the scope of its own key. Address books have no table.
pub(super) fn container(kind: DavKind, collection: &DavCollection) -> SourceItem {
    let fields = container_fields(collection);
    let version = digest(Value::from(fields.clone()).to_string());
    let record = SourceRecord {
        target: "calendar.calendars",
        source_id: collection.key.clone(),
        fields,
    };
    SourceItem {
        key: collection.key.clone(),
        version,
        at: None,
        holds: Some(collection.key.clone()),
        records: match kind {
            DavKind::Calendar => vec![record],
            DavKind::Contacts => Vec::new(),
        },
    }
}

/// A calendar without a name is called by the last part of its path. Its address is left out: the host may be another tomorrow.
fn container_fields(collection: &DavCollection) -> RecordFields {
    let last = || collection.key.rsplit('/').next().unwrap_or_default();
    let name = collection.name.as_deref().unwrap_or_else(last);
    let color = collection.color.as_deref();
    let fields = [("name", Some(name)), ("color", color)].into_iter();
    fields
        .filter_map(|(field, value)| Some((field.to_owned(), Value::from(value?))))
        .collect()
}

/// Reads the body of the resource `key`.
pub(super) fn read(
    kind: DavKind,
    collection: &DavCollection,
    key: &str,
    body: &str,
) -> BodyRecords {
    let source = FileSource::Bytes {
        name: kind.file_name().to_owned(),
        bytes: body.as_bytes().into(),
    };
    let mut read = BodyRecords {
        records: Vec::new(),
        is_partly_unread: false,
    };
    let reader = FileReader::new(Options::default());
    let Ok(entries) = reader.entries(&source) else {
        read.is_partly_unread = true;
        return read;
    };
    let mut ids = HashSet::new();
    for entry in entries {
        match entry.ok().map(|entry| record(collection, key, entry)) {
            Some(Ok(mut record)) => {
                record.source_id = free_id(record.source_id, &mut ids);
                read.records.push(record);
            }
            Some(Err(has_no_table)) => read.is_partly_unread |= !has_no_table,
            None => read.is_partly_unread = true,
        }
    }
    read
}

/// The record of an entry, or whether there is no table for the like of it.
fn record(collection: &DavCollection, key: &str, entry: FileEntry) -> Result<SourceRecord, bool> {
    let (target, mut fields) = match entry {
        FileEntry::Record { target, fields, .. } => (target, fields),
        FileEntry::Refused { place, .. } => {
            let kind = place.name.split(' ').next().unwrap_or_default();
            return Err(WITHOUT_TABLE.contains(&kind));
        }
    };
    let target = known_target(target.as_deref()).ok_or(false)?;
    fields.remove("id");
    let recurrence = fields.get("recurrence_id").and_then(Value::as_str);
    let source_id = match recurrence {
        Some(recurrence) => format!("{key}#{recurrence}"),
        None => key.to_owned(),
    };
    if recurrence.is_some() {
        fields.insert("series_source_id".to_owned(), Value::from(key));
    }
    if target == "calendar.series" {
        fields.insert("calendar".to_owned(), parent(collection));
    }
    Ok(SourceRecord {
        target,
        source_id,
        fields,
    })
}

fn known_target(target: Option<&str>) -> Option<&'static str> {
    let known = ["calendar.series", "contacts.people", "contacts.groups"];
    known.into_iter().find(|known| Some(*known) == target)
}

/// The calendar as a push nests it.
fn parent(collection: &DavCollection) -> Value {
    let mut fields = container_fields(collection);
    fields.insert("id".to_owned(), Value::from(collection.key.as_str()));
    Value::Object(fields)
}

/// The id, with an ordinal if an entry before has it: a resource holds one event or card, but not every server sees to it.
fn free_id(id: String, taken: &mut HashSet<String>) -> String {
    let numbered = (2_usize..).map(|ordinal| format!("{id}~{ordinal}"));
    let mut candidates = std::iter::once(id.clone())
        .chain(numbered)
        .map(within_limit);
    let free = candidates.find(|candidate| !taken.contains(candidate));
    let free = free.unwrap_or(id);
    taken.insert(free.clone());
    free
}

#[cfg(test)]
mod tests;
