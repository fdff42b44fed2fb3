//! An event with all that belongs to it, as one item: its master goes with its exceptions, and each change of one is a change of all.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::calendars::GoogleCalendar;
use super::component::{columns, original_start};
use super::event::GoogleEvent;
use super::records::SERIES;
use super::telling::ToldItem;
use super::when::Moment;
use crate::digest_key::{digest, within_limit};
use crate::round::{SourceItem, SourceRecord};

/// What is said of an event that cannot be read.
const UNREAD: &str = "it cannot be read";
/// The same of a part of a series.
const PARTLY_UNREAD: &str = "a part of it cannot be read";

/// A single event.
pub(super) fn single(event: &GoogleEvent, calendar: &GoogleCalendar) -> ToldItem {
    let key = calendar.key_of(&event.id);
    match columns(event, calendar, &[]) {
        Some(fields) => {
            let record = record(key.clone(), fields);
            let version = version(calendar, &[event], &[]);
            ToldItem::There(item(key, version, vec![record]), None)
        }
        None => ToldItem::Unread(key, UNREAD),
    }
}

/// The series of `master`, of which these are all parts. Of a series to which one was not invited as a whole there are exceptions only.
pub(super) fn whole(master: &str, parts: &[GoogleEvent], calendar: &GoogleCalendar) -> ToldItem {
    let key = calendar.key_of(master);
    let (cancelled, there): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.is_cancelled());
    if there.is_empty() {
        return ToldItem::Gone(key);
    }
    let repeats = there.iter().any(|part| part.repeats());
    let taken = cancelled
        .iter()
        .filter(|part| repeats && part.recurring_event_id.is_some());
    let gone: Vec<_> = taken.map(|part| original_start(part, calendar)).collect();
    let mut is_partly_unread = gone.contains(&None);
    let written = |moment: Moment| (moment.property("EXDATE").1, moment);
    let gone: BTreeMap<_, _> = gone.into_iter().flatten().map(written).collect();
    let gone: Vec<Moment> = gone.into_values().collect();
    let mut records = BTreeMap::new();
    for part in &there {
        let own_gone: &[Moment] = match part.recurring_event_id {
            None => &gone,
            Some(_) => &[],
        };
        match columns(part, calendar, own_gone) {
            Some(fields) => {
                let record = part_record(&key, fields);
                records.insert(record.source_id.clone(), record);
            }
            None => is_partly_unread = true,
        }
    }
    if records.is_empty() {
        return ToldItem::Unread(key, UNREAD);
    }
    let version = version(calendar, &there, &gone);
    let item = item(key, version, records.into_values().collect());
    ToldItem::There(item, is_partly_unread.then_some(PARTLY_UNREAD))
}

/// The master is called by the series, an exception by the start that it replaces, as one of a server of WebDAV is.
fn part_record(key: &str, mut fields: sextant_formats::RecordFields) -> SourceRecord {
    let recurrence = fields.get("recurrence_id").and_then(Value::as_str);
    let Some(recurrence) = recurrence else {
        return record(key.to_owned(), fields);
    };
    let source_id = within_limit(format!("{key}#{recurrence}"));
    fields.insert("series_source_id".to_owned(), Value::from(key));
    record(source_id, fields)
}

fn record(source_id: String, fields: sextant_formats::RecordFields) -> SourceRecord {
    SourceRecord {
        target: SERIES,
        source_id,
        fields,
    }
}

/// Of the parts that are there and the starts of those that are not, whatever order they came in.
fn version(calendar: &GoogleCalendar, there: &[&GoogleEvent], gone: &[Moment]) -> String {
    let there: BTreeMap<_, _> = there
        .iter()
        .map(|part| (&part.id, part.version()))
        .collect();
    let gone = gone.iter().map(|moment| moment.property("EXDATE").1);
    digest(json!([calendar.basis(), there, gone.collect::<Vec<_>>()]).to_string())
}

fn item(key: String, version: String, records: Vec<SourceRecord>) -> SourceItem {
    SourceItem {
        key,
        version,
        at: None,
        holds: None,
        records,
    }
}

#[cfg(test)]
mod tests;
