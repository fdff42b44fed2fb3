//! `calendar.ics` (RFC 5545): every series with its rule, every exception of one with the start it replaces, and the time zones
//! that they name.
//!
//! ```text
//! moments.rs   instants and days as they are written     zones.rs   a zone's own rules, for programs that know none
//! ```
//! All calendars are one in it, since many programs read only the first of a file.

mod moments;
mod zones;

use serde_json::Value;
use sextant_actors::domain::Sector;

use self::moments::Frame;
use super::Asked;
use super::content_line::{Line, escaped};
use super::document::{Document, Section, instant, list, text, texts};

pub const DOCUMENT: Document = Document {
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

fn head(_: &Asked) -> Vec<u8> {
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

fn write(row: &Value, asked: &Asked, out: &mut Vec<u8>) {
    let frame = Frame::of(row, asked.zone);
    Line::new("BEGIN").value("VEVENT", out);
    let uid = text(row, "uid").or_else(|| text(row, "source_id"));
    put("UID", uid, out);
    let stamp = instant(row, "updated_at").or_else(|| instant(row, "synced_at"));
    let stamp = stamp.unwrap_or(asked.now);
    Line::new("DTSTAMP").value(&moments::utc(stamp), out);
    add_times(row, &frame, asked, out);
    for (name, member) in [
        ("SUMMARY", "title"),
        ("DESCRIPTION", "description"),
        ("LOCATION", "location"),
    ] {
        put(name, text(row, member), out);
    }
    add_state(row, out);
    add_people(row, out);
    for alarm in list(row, "reminders") {
        add_alarm(alarm, out);
    }
    Line::new("END").value("VEVENT", out);
}

fn add_times(row: &Value, frame: &Frame, asked: &Asked, out: &mut Vec<u8>) {
    frame.bounds(row, out);
    if let Some(replaced) = text(row, "recurrence_id") {
        // It is written as its series is: days for days, and in the zone of it.
        let series = Frame::of_series(row, asked.zone);
        series.unwrap_or(*frame).replaced(replaced, out);
    }
    for rule in texts(row, "rrule") {
        // The first part of a text is always there.
        let name = rule.split([';', ':']).next().unwrap_or_default();
        if let Some((head, value)) = rule.split_once(':')
            && REPEATING.contains(&name)
        {
            Line::new(head).value(value, out);
        }
    }
    if let Some(changed) = instant(row, "updated_at") {
        Line::new("LAST-MODIFIED").value(&moments::utc(changed), out);
    }
}

fn add_state(row: &Value, out: &mut Vec<u8>) {
    for (name, member) in [("STATUS", "status"), ("CLASS", "privacy")] {
        if let Some(word) = text(row, member) {
            Line::new(name).value(&word.to_ascii_uppercase(), out);
        }
    }
    let busy = text(row, "free_busy");
    if let Some(busy) = busy {
        let transparency = if busy == "free" {
            "TRANSPARENT"
        } else {
            "OPAQUE"
        };
        Line::new("TRANSP").value(transparency, out);
    }
    if let Some(busy @ ("tentative" | "oof" | "workingElsewhere")) = busy {
        Line::new("X-MICROSOFT-CDO-BUSYSTATUS").value(&busy.to_ascii_uppercase(), out);
    }
    if let Some(sequence) = row.get("sequence").and_then(Value::as_i64) {
        Line::new("SEQUENCE").value(&sequence.to_string(), out);
    }
    let categories: Vec<String> = texts(row, "categories").map(escaped).collect();
    if !categories.is_empty() {
        Line::new("CATEGORIES").value(&categories.join(","), out);
    }
    for (line, member) in [
        (Line::new("URL"), "url"),
        (
            Line::new("CONFERENCE").with("VALUE", "URI"),
            "conference_url",
        ),
    ] {
        if let Some(address) = text(row, member) {
            line.value(address, out);
        }
    }
}

fn add_people(row: &Value, out: &mut Vec<u8>) {
    if let Some(organizer) = row
        .get("organizer")
        .filter(|organizer| organizer.is_object())
    {
        person(Line::new("ORGANIZER"), organizer, out);
    }
    for attendee in list(row, "attendees") {
        let role = match text(attendee, "role") {
            Some("chair") => "CHAIR",
            Some("optional") => "OPT-PARTICIPANT",
            Some("informational") => "NON-PARTICIPANT",
            _ => "REQ-PARTICIPANT",
        };
        let mut line = Line::new("ATTENDEE").with("ROLE", role);
        if let Some(status) = text(attendee, "participation_status") {
            line = line.with("PARTSTAT", &status.to_ascii_uppercase());
        }
        person(line, attendee, out);
    }
}

/// Whoever has no address is named by one that leads nowhere: the line must have one.
fn person(mut line: Line, person: &Value, out: &mut Vec<u8>) {
    if let Some(name) = text(person, "name") {
        line = line.with("CN", name);
    }
    match (text(person, "email"), text(person, "uri")) {
        (Some(email), _) => line.value(&format!("mailto:{email}"), out),
        (None, Some(uri)) => line.value(uri, out),
        (None, None) => line.value("invalid:nomail", out),
    }
}

fn add_alarm(alarm: &Value, out: &mut Vec<u8>) {
    let trigger = match (
        alarm.get("minutes_before").and_then(Value::as_i64),
        instant(alarm, "at"),
    ) {
        (Some(minutes), _) => {
            let mut line = Line::new("TRIGGER");
            if text(alarm, "relative_to") == Some("end") {
                line = line.with("RELATED", "END");
            }
            let sign = if minutes > 0 { "-" } else { "" };
            (line, format!("{sign}PT{}M", minutes.unsigned_abs()))
        }
        (None, Some(at)) => (
            Line::new("TRIGGER").with("VALUE", "DATE-TIME"),
            moments::utc(at),
        ),
        (None, None) => return,
    };
    let method = text(alarm, "method")
        .unwrap_or("display")
        .to_ascii_uppercase();
    // A mail would need a text, a subject and somebody to go to.
    let method = if method == "AUDIO" {
        "AUDIO"
    } else {
        "DISPLAY"
    };
    Line::new("BEGIN").value("VALARM", out);
    Line::new("ACTION").value(method, out);
    if method == "DISPLAY" {
        Line::new("DESCRIPTION").text("Reminder", out);
    }
    trigger.0.value(&trigger.1, out);
    Line::new("END").value("VALARM", out);
}

fn put(name: &str, value: Option<&str>, out: &mut Vec<u8>) {
    if let Some(value) = value {
        Line::new(name).text(value, out);
    }
}
