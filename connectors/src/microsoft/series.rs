//! A single event, or a series with its exceptions, as the records of one item.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde_json::Value;
use sextant_formats::recurrence::{
    EventSeries, EventStatus, EventTiming, Master, OccurrenceTime, expand,
};
use sextant_formats::{RecordFields, zone_named};

use super::event::{EventPart, fields};
use super::event_times::{EventFrame, moment};
use super::object::{GraphObject, inner, objects, text, texts};
use super::recurrence::rule;
use super::telling::row_id;
use crate::digest_key::within_limit;
use crate::round::SourceRecord;

const SERIES: &str = "calendar.series";

/// What an item consists of.
#[derive(Debug)]
pub(super) struct EventRecords {
    pub(super) records: Vec<SourceRecord>,
    /// When the last of it ends; `None` for a series without an end.
    pub(super) at: Option<DateTime<Utc>>,
    /// Whether an exception of it cannot be read.
    pub(super) is_partly_unread: bool,
}

/// An event that does not repeat.
pub(super) fn single(scope: &str, event: &GraphObject) -> Result<EventRecords, String> {
    let part = EventPart {
        frame: &EventFrame::of(event),
        uid: None,
        replaces: None,
        repeats: Vec::new(),
    };
    let id = text(event, "id").unwrap_or_default();
    Ok(EventRecords {
        records: vec![SourceRecord {
            target: SERIES,
            source_id: row_id(scope, id),
            fields: fields(event, &part)?,
        }],
        at: moment(event, "end").or_else(|| moment(event, "start")),
        is_partly_unread: false,
    })
}

/// A series, as its first event tells it with all that is not by the rule.
pub(super) fn series(
    scope: &str,
    event: &GraphObject,
    now: DateTime<Utc>,
) -> Result<EventRecords, String> {
    let frame = EventFrame::of(event);
    let start = moment(event, "start").ok_or("it has no start")?;
    let recurrence = inner(event, "recurrence").ok_or("it does not say how it repeats")?;
    let rule = rule(recurrence, |last| frame.until(last));
    let rule = rule.ok_or("how it repeats is not known here")?;
    let mut repeats = vec![("RRULE".to_owned(), rule)];
    let cancelled = texts(event, "cancelledOccurrences").filter_map(day_of);
    repeats.extend(cancelled.filter_map(|day| {
        let (parameters, value) = frame.written(frame.occurrence_on(day, start)?);
        Some((format!("EXDATE{parameters}"), value))
    }));
    let uid = text(event, "iCalUId");
    let source_id = row_id(scope, text(event, "id").unwrap_or_default());
    let part = EventPart {
        frame: &frame,
        uid,
        replaces: None,
        repeats,
    };
    let mut master = fields(event, &part)?;
    if let Some(Value::Object(raw)) = master.get_mut("raw") {
        // Each is a record with a `raw` of its own.
        raw.remove("exceptionOccurrences");
    }
    let mut read = EventRecords {
        at: last_end(&frame, event, &master, now),
        records: vec![SourceRecord {
            target: SERIES,
            source_id: source_id.clone(),
            fields: master,
        }],
        is_partly_unread: false,
    };
    for exception in objects(event, "exceptionOccurrences") {
        let replaces = replaced(exception, &frame, start);
        let part = EventPart {
            frame: &frame,
            uid,
            replaces,
            repeats: Vec::new(),
        };
        match replaces.and_then(|_| fields(exception, &part).ok()) {
            Some(fields) => read.add_exception(&source_id, fields, moment(exception, "end")),
            None => read.is_partly_unread = true,
        }
    }
    Ok(read)
}

impl EventRecords {
    fn add_exception(
        &mut self,
        series: &str,
        mut fields: RecordFields,
        end: Option<DateTime<Utc>>,
    ) {
        let replaced = fields.get("recurrence_id").and_then(Value::as_str);
        let source_id = within_limit(format!("{series}#{}", replaced.unwrap_or_default()));
        if self
            .records
            .iter()
            .any(|record| record.source_id == source_id)
        {
            self.is_partly_unread = true;
            return;
        }
        fields.insert("series_source_id".to_owned(), Value::from(series));
        self.at = self.at.map(|at| end.map_or(at, |end| at.max(end)));
        self.records.push(SourceRecord {
            target: SERIES,
            source_id,
            fields,
        });
    }
}

/// The start that an exception replaces: as it says, else by the day in the name of its occurrence.
fn replaced(
    exception: &GraphObject,
    frame: &EventFrame,
    first: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let said = text(exception, "originalStart");
    let said = said.and_then(|said| DateTime::parse_from_rfc3339(said).ok());
    let named = || frame.occurrence_on(day_of(text(exception, "occurrenceId")?)?, first);
    said.map(|said| said.to_utc()).or_else(named)
}

/// The day in `OID.<id of the series>.<day>`.
fn day_of(occurrence: &str) -> Option<NaiveDate> {
    occurrence.rsplit('.').next()?.parse().ok()
}

/// When the last occurrence by the rule ends; `None` if there is no last one, or too many to count.
fn last_end(
    frame: &EventFrame,
    event: &GraphObject,
    master: &RecordFields,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let (start, end) = (moment(event, "start")?, moment(event, "end"));
    let utc = zone_named("UTC")?;
    let timing = match frame.is_all_day() {
        true => EventTiming::AllDay {
            start: start.date_naive(),
            end: end.map(|end| end.date_naive()),
        },
        false => EventTiming::Timed {
            start,
            end,
            zone: frame.zone_name().map_or(Some(utc), zone_named),
        },
    };
    let lines = master.get("rrule").and_then(Value::as_array);
    let lines = lines.into_iter().flatten().filter_map(Value::as_str);
    let series = EventSeries {
        master: Some(Master {
            source_id: String::new(),
            timing,
            lines: lines.map(str::to_owned).collect(),
            status: EventStatus::Confirmed,
        }),
        exceptions: Vec::new(),
    };
    let expansion = expand(&series, utc, now).ok()?;
    if expansion.covers.is_some() {
        return None;
    }
    let ends = expansion.occurrences.iter().map(|one| match one.when {
        OccurrenceTime::Timed { end, .. } => end,
        OccurrenceTime::AllDay { end, .. } => end.and_time(NaiveTime::MIN).and_utc(),
    });
    ends.max()
}

#[cfg(test)]
mod tests;
