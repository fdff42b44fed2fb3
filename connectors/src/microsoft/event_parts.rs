//! Of an event: its state, its people and its reminder, as lines of iCalendar.

use serde_json::Value;

use super::content_lines::{GraphLines, parameter};
use super::object::{GraphObject, flag, inner, objects, text};

/// What a person answered, as iCalendar has it (RFC 5545 §3.2.12).
const ANSWERS: [(&str, &str); 6] = [
    ("none", "needs-action"),
    ("notResponded", "needs-action"),
    ("organizer", "accepted"),
    ("accepted", "accepted"),
    ("tentativelyAccepted", "tentative"),
    ("declined", "declined"),
];

pub(super) fn add_state(lines: &mut GraphLines, event: &GraphObject) {
    if flag(event, "isCancelled") == Some(true) {
        lines.bare("STATUS", "CANCELLED");
    }
    if let Some(shown) = text(event, "showAs") {
        lines.text("X-MICROSOFT-CDO-BUSYSTATUS", Some(shown));
    }
    let class = match text(event, "sensitivity") {
        None => return,
        Some("normal") => "PUBLIC",
        Some("confidential") => "CONFIDENTIAL",
        Some(_) => "PRIVATE",
    };
    lines.bare("CLASS", class);
}

pub(super) fn add_people(lines: &mut GraphLines, event: &GraphObject) {
    if let Some(organizer) = inner(event, "organizer") {
        add_person(lines, "ORGANIZER", organizer);
    }
    for attendee in objects(event, "attendees") {
        let role = match text(attendee, "type") {
            Some("optional") => "OPT-PARTICIPANT",
            Some("resource") => "NON-PARTICIPANT",
            _ => "REQ-PARTICIPANT",
        };
        let answer = inner(attendee, "status").and_then(answer);
        let answer = answer.unwrap_or("needs-action").to_ascii_uppercase();
        add_person(
            lines,
            &format!("ATTENDEE;ROLE={role};PARTSTAT={answer}"),
            attendee,
        );
    }
}

fn add_person(lines: &mut GraphLines, name: &str, person: &GraphObject) {
    let Some(address) = inner(person, "emailAddress") else {
        return;
    };
    let called = text(address, "name").map(|called| format!(";CN={}", parameter(called)));
    let email = text(address, "address").unwrap_or_default();
    if called.is_some() || !email.is_empty() {
        let called = called.unwrap_or_default();
        lines.bare(&format!("{name}{called}"), &format!("mailto:{email}"));
    }
}

pub(super) fn add_reminder(lines: &mut GraphLines, event: &GraphObject) {
    let minutes = event
        .get("reminderMinutesBeforeStart")
        .and_then(Value::as_i64);
    let Some(minutes) = minutes.filter(|_| flag(event, "isReminderOn") == Some(true)) else {
        return;
    };
    lines.bare("BEGIN", "VALARM");
    lines.bare("ACTION", "DISPLAY");
    let sign = if minutes < 0 { "" } else { "-" };
    lines.bare("TRIGGER", &format!("{sign}PT{}M", minutes.unsigned_abs()));
    lines.bare("END", "VALARM");
}

pub(super) fn answer(status: &GraphObject) -> Option<&'static str> {
    let given = text(status, "response")?;
    let known = ANSWERS.iter().find(|(known, _)| *known == given)?;
    Some(known.1)
}
