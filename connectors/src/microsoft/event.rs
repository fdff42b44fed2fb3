//! An event (<https://learn.microsoft.com/graph/api/resources/event>) as a component of iCalendar, and what the reader of files
//! makes of it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_formats::{FileEntry, FileReader, FileSource, Options, RecordFields, html};

use super::content_lines::GraphLines;
use super::event_parts::{add_people, add_reminder, add_state, answer};
use super::event_times::{EventFrame, moment};
use super::object::{GraphObject, inner, objects, raw, text, texts};

/// What an event is in its series.
pub(super) struct EventPart<'a> {
    pub(super) frame: &'a EventFrame,
    /// The identifier that the whole series has.
    pub(super) uid: Option<&'a str>,
    /// In an exception: the start that it replaces.
    pub(super) replaces: Option<DateTime<Utc>>,
    /// Lines that say how it repeats, each a name with its parameters and a value.
    pub(super) repeats: Vec<(String, String)>,
}

/// The fields of an event, as a file of it would have them.
pub(super) fn fields(event: &GraphObject, part: &EventPart<'_>) -> Result<RecordFields, String> {
    let text = component(event, part).ok_or("it has no start")?;
    // A parser that panics takes no other event with it.
    let read = catch_unwind(AssertUnwindSafe(|| read(&text)));
    let mut fields = read.map_err(|_| "it cannot be read")??;
    // Its id in a file, and a text that nobody but this module wrote.
    for name in ["id", "calendar", "raw_ical"] {
        fields.remove(name);
    }
    let answer = inner(event, "responseStatus").and_then(answer);
    if let Some(answer) = answer {
        fields.insert("my_response".to_owned(), Value::from(answer));
    }
    let places: Vec<_> = objects(event, "locations").filter_map(place).collect();
    if places.len() > 1 {
        fields.insert("locations".to_owned(), Value::Array(places));
    }
    fields.insert("raw".to_owned(), raw(event));
    Ok(fields)
}

/// The reader's reason for refusing may repeat words of the event: it is not passed on.
fn read(component: &str) -> Result<RecordFields, &'static str> {
    let source = FileSource::Bytes {
        name: "event.ics".to_owned(),
        bytes: component.as_bytes().into(),
    };
    let reader = FileReader::new(Options::default());
    let mut entries = reader.entries(&source).map_err(|_| "it cannot be read")?;
    match entries.next() {
        Some(Ok(FileEntry::Record { fields, .. })) => Ok(fields),
        _ => Err("it cannot be read"),
    }
}

fn component(event: &GraphObject, part: &EventPart<'_>) -> Option<String> {
    let mut lines = GraphLines::default();
    lines.bare("BEGIN", "VCALENDAR");
    lines.bare("VERSION", "2.0");
    lines.bare("BEGIN", "VEVENT");
    lines.text("UID", part.uid.or_else(|| text(event, "iCalUId")));
    let (start, end) = (moment(event, "start")?, moment(event, "end"));
    // An exception may be a whole day in a series that is none, and the other way round.
    let own = EventFrame::of(event);
    let is_alike = own.is_all_day() == part.frame.is_all_day();
    let frame = if is_alike { part.frame } else { &own };
    add_moment(&mut lines, "DTSTART", frame, start);
    if let Some(end) = end {
        add_moment(&mut lines, "DTEND", frame, end);
    }
    if let Some(replaces) = part.replaces {
        match part.frame.is_all_day() {
            true => add_moment(&mut lines, "RECURRENCE-ID", part.frame, replaces),
            false => lines.bare(
                "RECURRENCE-ID",
                &replaces.format("%Y%m%dT%H%M%SZ").to_string(),
            ),
        }
    }
    for (name, value) in &part.repeats {
        lines.bare(name, value);
    }
    add_texts(&mut lines, event);
    add_state(&mut lines, event);
    add_people(&mut lines, event);
    add_reminder(&mut lines, event);
    lines.bare("END", "VEVENT");
    lines.bare("END", "VCALENDAR");
    Some(lines.into_text())
}

fn add_moment(lines: &mut GraphLines, name: &str, frame: &EventFrame, at: DateTime<Utc>) {
    let (parameters, value) = frame.written(at);
    lines.bare(&format!("{name}{parameters}"), &value);
}

fn add_texts(lines: &mut GraphLines, event: &GraphObject) {
    lines.text("SUMMARY", text(event, "subject"));
    let description = description(event);
    lines.text("DESCRIPTION", description.as_deref());
    let location = inner(event, "location");
    lines.text(
        "LOCATION",
        location.and_then(|location| text(location, "displayName")),
    );
    lines.list("CATEGORIES", texts(event, "categories"));
    let meeting = inner(event, "onlineMeeting").and_then(|meeting| text(meeting, "joinUrl"));
    let meeting = meeting.or_else(|| text(event, "onlineMeetingUrl"));
    if let Some(meeting) = meeting {
        lines.bare("CONFERENCE;VALUE=URI", meeting);
    }
    let changed = text(event, "lastModifiedDateTime");
    let changed = changed.and_then(|changed| DateTime::parse_from_rfc3339(changed).ok());
    if let Some(changed) = changed {
        let changed = changed.to_utc().format("%Y%m%dT%H%M%SZ").to_string();
        lines.bare("LAST-MODIFIED", &changed);
    }
}

/// What of an invitation a person sees.
fn description(event: &GraphObject) -> Option<String> {
    let body = inner(event, "body")?;
    let content = text(body, "content")?;
    let is_html = text(body, "contentType").is_some_and(|kind| kind.eq_ignore_ascii_case("html"));
    let seen = match is_html {
        true => html::read(content).into_marked_text(),
        false => content.to_owned(),
    };
    (!seen.trim().is_empty()).then_some(seen)
}

fn place(location: &GraphObject) -> Option<Value> {
    text(location, "displayName")?;
    Some(raw(location))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(event: Value) -> Value {
        let event = event.as_object().unwrap();
        let frame = EventFrame::of(event);
        let part = EventPart {
            frame: &frame,
            uid: None,
            replaces: None,
            repeats: Vec::new(),
        };
        let mut fields = fields(event, &part).unwrap();
        fields.remove("raw");
        Value::Object(fields)
    }

    #[test]
    fn an_event_has_the_columns_of_a_component() {
        let read = read(json!({
            "id": "e", "iCalUId": "u1", "subject": "Plan, \"it\"; now",
            "body": {"contentType": "html", "content": "<p>See <a href='https://x.example'>x</a></p><div style='display:none'>obey</div>"},
            "start": {"dateTime": "2026-01-12T09:00:00.0000000", "timeZone": "UTC"},
            "end": {"dateTime": "2026-01-12T10:00:00.0000000", "timeZone": "UTC"},
            "originalStartTimeZone": "W. Europe Standard Time", "isAllDay": false, "isCancelled": false,
            "location": {"displayName": "Room 1"}, "showAs": "oof", "sensitivity": "private",
            "organizer": {"emailAddress": {"name": "Ann \"A\" Doe", "address": "ann@example.com"}},
            "attendees": [{"type": "optional", "status": {"response": "tentativelyAccepted"}, "emailAddress": {"name": "Bob", "address": "bob@example.com"}}],
            "responseStatus": {"response": "accepted"}, "onlineMeeting": {"joinUrl": "https://teams.example/1"},
            "isReminderOn": true, "reminderMinutesBeforeStart": 15, "categories": ["Red, blue"],
            "lastModifiedDateTime": "2026-01-02T03:04:05.1234567Z",
        }));
        let expected = json!({
            "uid": "u1", "title": "Plan, \"it\"; now",
            "description": "[hidden text dropped: 4 characters]\nSee x",
            "start_at": "2026-01-12T10:00:00", "end_at": "2026-01-12T11:00:00", "time_zone": "Europe/Berlin", "is_all_day": false,
            "location": "Room 1", "status": "confirmed", "free_busy": "oof", "privacy": "private",
            "organizer": {"name": "Ann 'A' Doe", "email": "ann@example.com"},
            "attendees": [{"name": "Bob", "email": "bob@example.com", "role": "optional", "participation_status": "tentative"}],
            "my_response": "accepted", "conference_url": "https://teams.example/1",
            "reminders": [{"method": "display", "minutes_before": 15}], "categories": ["Red, blue"],
            "updated_at": "2026-01-02T03:04:05Z",
        });
        assert_eq!(read, expected);
    }

    #[test]
    fn words_of_an_event_make_no_property() {
        let read = read(json!({
            "subject": "x\r\nRRULE:FREQ=DAILY", "start": {"dateTime": "2026-01-12T09:00:00", "timeZone": "UTC"},
            "organizer": {"emailAddress": {"name": "n\"\r\nRRULE:FREQ=DAILY", "address": "a@b\r\nRRULE:FREQ=DAILY"}},
            "onlineMeetingUrl": "https://x\r\nRRULE:FREQ=DAILY",
        }));
        assert!(read.get("rrule").is_none(), "{read}");
    }
}
