//! `calendar.ics` (RFC 5545): every series with its rule, every exception of one with the start it replaces, and the time zones
//! that they name.
//!
//! ```text
//! moments.rs   instants and days as they are written     zones.rs   VTIMEZONE, for programs without a zone database
//! ```
//! All calendars are merged into one, since many programs read only the first of a file.

mod moments;
mod zones;

use serde_json::Value;
use sextant_actors::domain::Sector;

use self::moments::TimeForm;
use super::ExportRequest;
use super::content_line::{ContentLine, escaped};
use super::document::{Document, Section, instant, list, text, texts};

pub(super) const DOCUMENT: Document = Document {
    name: "calendar.ics",
    sector: Sector::Calendar,
    head,
    sections: &[
        Section {
            sql: include_str!("../../sql/statements/export/zones.sql"),
            write: zones::write,
        },
        Section {
            sql: include_str!("../../sql/statements/export/series.sql"),
            write,
        },
    ],
    foot: "END:VCALENDAR\r\n",
};

/// Rules that may stand in an event; each is a whole line already.
const REPEATING: [&str; 3] = ["RRULE", "RDATE", "EXDATE"];

fn head(_: &ExportRequest) -> Vec<u8> {
    let program = concat!(
        "PRODID:-//Sextant//Sextant ",
        env!("CARGO_PKG_VERSION"),
        "//EN"
    );
    [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        program,
        "CALSCALE:GREGORIAN",
        "",
    ]
    .join("\r\n")
    .into_bytes()
}

fn write(row: &Value, request: &ExportRequest, out: &mut Vec<u8>) {
    let form = TimeForm::of(row, request.zone);
    ContentLine::new("BEGIN").value("VEVENT", out);
    let uid = text(row, "uid").or_else(|| text(row, "source_id"));
    write_text("UID", uid, out);
    let stamp = instant(row, "updated_at").or_else(|| instant(row, "synced_at"));
    let stamp = stamp.unwrap_or(request.now);
    ContentLine::new("DTSTAMP").value(&moments::utc(stamp), out);
    write_times(row, &form, request, out);
    for (name, member) in [
        ("SUMMARY", "title"),
        ("DESCRIPTION", "description"),
        ("LOCATION", "location"),
    ] {
        write_text(name, text(row, member), out);
    }
    write_state(row, out);
    write_people(row, out);
    for alarm in list(row, "reminders") {
        write_alarm(alarm, out);
    }
    ContentLine::new("END").value("VEVENT", out);
}

fn write_times(row: &Value, form: &TimeForm, request: &ExportRequest, out: &mut Vec<u8>) {
    form.write_bounds(row, out);
    if let Some(replaced) = text(row, "recurrence_id") {
        // RECURRENCE-ID has the type and zone of the series' DTSTART (RFC 5545 3.8.4.4).
        let series = TimeForm::of_series(row, request.zone);
        series.unwrap_or(*form).write_recurrence_id(replaced, out);
    }
    for rule in texts(row, "rrule") {
        // The first part of a text is always there.
        let name = rule.split([';', ':']).next().unwrap_or_default();
        if let Some((head, value)) = rule.split_once(':')
            && REPEATING.contains(&name)
        {
            ContentLine::new(head).value(value, out);
        }
    }
    if let Some(changed) = instant(row, "updated_at") {
        ContentLine::new("LAST-MODIFIED").value(&moments::utc(changed), out);
    }
}

fn write_state(row: &Value, out: &mut Vec<u8>) {
    for (name, member) in [("STATUS", "status"), ("CLASS", "privacy")] {
        if let Some(word) = text(row, member) {
            ContentLine::new(name).value(&word.to_ascii_uppercase(), out);
        }
    }
    let busy = text(row, "free_busy");
    if let Some(busy) = busy {
        let transparency = if busy == "free" {
            "TRANSPARENT"
        } else {
            "OPAQUE"
        };
        ContentLine::new("TRANSP").value(transparency, out);
    }
    if let Some(busy @ ("tentative" | "oof" | "workingElsewhere")) = busy {
        ContentLine::new("X-MICROSOFT-CDO-BUSYSTATUS").value(&busy.to_ascii_uppercase(), out);
    }
    if let Some(sequence) = row.get("sequence").and_then(Value::as_i64) {
        ContentLine::new("SEQUENCE").value(&sequence.to_string(), out);
    }
    let categories: Vec<String> = texts(row, "categories").map(escaped).collect();
    if !categories.is_empty() {
        ContentLine::new("CATEGORIES").value(&categories.join(","), out);
    }
    for (line, member) in [
        (ContentLine::new("URL"), "url"),
        (
            ContentLine::new("CONFERENCE").with("VALUE", "URI"),
            "conference_url",
        ),
    ] {
        if let Some(address) = text(row, member) {
            line.value(address, out);
        }
    }
}

fn write_people(row: &Value, out: &mut Vec<u8>) {
    if let Some(organizer) = row
        .get("organizer")
        .filter(|organizer| organizer.is_object())
    {
        write_person(ContentLine::new("ORGANIZER"), organizer, out);
    }
    for attendee in list(row, "attendees") {
        let role = match text(attendee, "role") {
            Some("chair") => "CHAIR",
            Some("optional") => "OPT-PARTICIPANT",
            Some("informational") => "NON-PARTICIPANT",
            _ => "REQ-PARTICIPANT",
        };
        let mut line = ContentLine::new("ATTENDEE").with("ROLE", role);
        if let Some(status) = text(attendee, "participation_status") {
            line = line.with("PARTSTAT", &status.to_ascii_uppercase());
        }
        write_person(line, attendee, out);
    }
}

/// The value must be an address: a person without one gets `invalid:nomail`.
fn write_person(mut line: ContentLine, person: &Value, out: &mut Vec<u8>) {
    if let Some(name) = text(person, "name") {
        line = line.with("CN", name);
    }
    match (text(person, "email"), text(person, "uri")) {
        (Some(email), _) => line.value(&format!("mailto:{email}"), out),
        (None, Some(uri)) => line.value(uri, out),
        (None, None) => line.value("invalid:nomail", out),
    }
}

fn write_alarm(alarm: &Value, out: &mut Vec<u8>) {
    let trigger = match (
        alarm.get("minutes_before").and_then(Value::as_i64),
        instant(alarm, "at"),
    ) {
        (Some(minutes), _) => {
            let mut line = ContentLine::new("TRIGGER");
            if text(alarm, "relative_to") == Some("end") {
                line = line.with("RELATED", "END");
            }
            let sign = if minutes > 0 { "-" } else { "" };
            (line, format!("{sign}PT{}M", minutes.unsigned_abs()))
        }
        (None, Some(at)) => (
            ContentLine::new("TRIGGER").with("VALUE", "DATE-TIME"),
            moments::utc(at),
        ),
        (None, None) => return,
    };
    let method = text(alarm, "method")
        .unwrap_or("display")
        .to_ascii_uppercase();
    // An EMAIL alarm would need a text, a subject and an attendee.
    let method = if method == "AUDIO" {
        "AUDIO"
    } else {
        "DISPLAY"
    };
    ContentLine::new("BEGIN").value("VALARM", out);
    ContentLine::new("ACTION").value(method, out);
    if method == "DISPLAY" {
        ContentLine::new("DESCRIPTION").text("Reminder", out);
    }
    trigger.0.value(&trigger.1, out);
    ContentLine::new("END").value("VALARM", out);
}

fn write_text(name: &str, value: Option<&str>, out: &mut Vec<u8>) {
    if let Some(value) = value {
        ContentLine::new(name).text(value, out);
    }
}
