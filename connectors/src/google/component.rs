//! An event as a VEVENT (RFC 5545), in the words that Google's own CalDAV server has for it.

use chrono::DateTime;
use serde_json::Value;
use sextant_formats::RecordFields;

use super::calendars::GoogleCalendar;
use super::content_text::{ContentText, quoted};
use super::event::{GoogleEvent, Guest, Reminder};
use super::records::{self, SERIES};
use super::when::{EventTime, Moment};

/// The lines that say how an event repeats (`Event.recurrence`).
const REPEATING: [&str; 4] = ["RRULE", "RDATE", "EXDATE", "EXRULE"];

/// The columns of an event; `None` if it cannot be read. `gone` are the instances that were taken from it.
pub(super) fn columns(
    event: &GoogleEvent,
    calendar: &GoogleCalendar,
    gone: &[Moment],
) -> Option<RecordFields> {
    let text = component(event, calendar, gone)?;
    let mut fields = records::columns("calendar.ics", text.as_str(), SERIES, &event.sent)?;
    fields.insert("calendar".to_owned(), calendar.parent());
    if let Some(answer) = event.own_answer() {
        let answer = answer.to_ascii_lowercase();
        fields.insert("my_response".to_owned(), Value::from(answer));
    }
    mark_own(&mut fields, &guests(event));
    Some(fields)
}

fn component(
    event: &GoogleEvent,
    calendar: &GoogleCalendar,
    gone: &[Moment],
) -> Option<ContentText> {
    let mut text = ContentText::begin("VEVENT");
    text.text("UID", event.uid.as_deref().or(Some(event.id.as_str())));
    let start = event.start.as_ref()?.read(calendar.zone)?;
    line(&mut text, "DTSTART", start);
    if let Some(end) = event.end.as_ref().filter(|_| !event.end_time_unspecified) {
        line(&mut text, "DTEND", end.read(calendar.zone)?);
    }
    if event.recurring_event_id.is_some() {
        let original = event.original_start_time.as_ref()?;
        line(&mut text, "RECURRENCE-ID", original.read(calendar.zone)?);
    }
    add_recurrence(&mut text, event, start, gone);
    text.text("SUMMARY", event.summary.as_deref());
    text.text("DESCRIPTION", event.description.as_deref());
    text.text("LOCATION", event.location.as_deref());
    add_state(&mut text, event);
    add_guests(&mut text, event);
    for reminder in reminders(event, calendar) {
        text.nest(&alarm(reminder));
    }
    Some(text.end("VEVENT"))
}

fn line(text: &mut ContentText, name: &str, moment: Moment) {
    let (head, value) = moment.property(name);
    text.line(&head, &value);
}

/// A cancelled instance is one that the rule leaves out: it is not to be shown any more (`Event.status`).
fn add_recurrence(text: &mut ContentText, event: &GoogleEvent, start: Moment, gone: &[Moment]) {
    for own in event.recurrence.iter().flatten() {
        if let Some((head, value)) = own.split_once(':') {
            let name = head.split(';').next().unwrap_or_default().trim();
            if REPEATING
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
            {
                text.line(head, value);
            }
        }
    }
    for instance in gone {
        line(text, "EXDATE", instance.like(start));
    }
}

fn add_state(text: &mut ContentText, event: &GoogleEvent) {
    text.line("STATUS", event.status());
    let is_free = event.transparency.as_deref() == Some("transparent");
    text.line("TRANSP", if is_free { "TRANSPARENT" } else { "OPAQUE" });
    if event.event_type.as_deref() == Some("outOfOffice") {
        text.line("X-MICROSOFT-CDO-BUSYSTATUS", "OOF");
    }
    let visibility = event.visibility.as_deref();
    text.text("CLASS", visibility.filter(|own| *own != "default"));
    if let Some(sequence) = event.sequence {
        text.line("SEQUENCE", &sequence.to_string());
    }
    let updated = event.updated.as_deref().map(DateTime::parse_from_rfc3339);
    if let Some(Ok(updated)) = updated {
        line(text, "LAST-MODIFIED", Moment::Instant(updated.to_utc()));
    }
    let conference = event.conference().or(event.hangout_link.as_deref());
    text.text("X-GOOGLE-CONFERENCE", conference);
}

/// Everyone who is named. An event without guests has the calendar itself for its organizer, which says nothing.
fn add_guests(text: &mut ContentText, event: &GoogleEvent) {
    let guests = guests(event);
    let organizer = event.organizer.as_ref();
    if let Some(organizer) = organizer.filter(|own| !guests.is_empty() || !own.is_self) {
        let head = format!("ORGANIZER{}", name_of(organizer));
        text.line(&head, &mailto(organizer));
    }
    for guest in guests {
        let role = match guest.optional {
            true => "OPT-PARTICIPANT",
            false => "REQ-PARTICIPANT",
        };
        let (name, answer) = (name_of(guest), guest.answer());
        let head = format!("ATTENDEE{name};ROLE={role};PARTSTAT={answer}");
        text.line(&head, &mailto(guest));
    }
}

fn guests(event: &GoogleEvent) -> Vec<&Guest> {
    let is_named =
        |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    let all = event.attendees.iter().flatten();
    all.filter(|guest| is_named(&guest.email) || is_named(&guest.display_name))
        .collect()
}

fn name_of(guest: &Guest) -> String {
    let name = guest
        .display_name
        .as_deref()
        .filter(|name| !name.trim().is_empty());
    name.map(|name| format!(";CN={}", quoted(name)))
        .unwrap_or_default()
}

fn mailto(guest: &Guest) -> String {
    let email = guest.email.as_deref();
    email
        .map(|email| format!("mailto:{}", email.trim()))
        .unwrap_or_default()
}

/// iCalendar does not say which of the guests one is; the table has a place for it.
fn mark_own(fields: &mut RecordFields, guests: &[&Guest]) {
    let Some(Value::Array(attendees)) = fields.get_mut("attendees") else {
        return;
    };
    if attendees.len() != guests.len() {
        return;
    }
    for (attendee, guest) in attendees.iter_mut().zip(guests) {
        if let (true, Some(attendee)) = (guest.is_self, attendee.as_object_mut()) {
            attendee.insert("is_self".to_owned(), Value::Bool(true));
        }
    }
}

fn reminders<'a>(event: &'a GoogleEvent, calendar: &'a GoogleCalendar) -> &'a [Reminder] {
    match &event.reminders {
        Some(own) if own.use_default => &calendar.reminders,
        Some(own) => own.overrides.as_deref().unwrap_or_default(),
        None => &[],
    }
}

fn alarm(reminder: &Reminder) -> ContentText {
    let mut alarm = ContentText::begin("VALARM");
    let action = match reminder.method.as_str() {
        "email" => "EMAIL",
        _ => "DISPLAY",
    };
    alarm.line("ACTION", action);
    alarm.line("TRIGGER", &format!("-PT{}M", reminder.minutes));
    alarm.end("VALARM")
}

/// The original start of an instance.
pub(super) fn original_start(event: &GoogleEvent, calendar: &GoogleCalendar) -> Option<Moment> {
    let original: &EventTime = event.original_start_time.as_ref()?;
    original.read(calendar.zone)
}
