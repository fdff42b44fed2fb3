//! ORGANIZER and ATTENDEE, in the terms of JSCalendar (RFC 8984 §4.4.6).

use calcard::icalendar::utils::strip_mailto_scheme;
use calcard::icalendar::{
    ICalendarComponent, ICalendarEntry, ICalendarParameterName, ICalendarProperty,
};
use serde_json::{Map, Value};

/// `{"name"?, "email"?, "uri"?}`; `None` if the event has no organizer or nothing of it is given.
pub(super) fn organizer(event: &ICalendarComponent) -> Option<Value> {
    event
        .property(&ICalendarProperty::Organizer)
        .and_then(person)
        .map(Value::Object)
}

/// A list of `{"name"?, "email"?, "uri"?, "role", "participation_status"}`; `None` if it is empty.
pub(super) fn attendees(event: &ICalendarComponent) -> Option<Value> {
    let attendees: Vec<_> = event
        .properties(&ICalendarProperty::Attendee)
        .filter_map(attendee)
        .collect();
    (!attendees.is_empty()).then_some(Value::Array(attendees))
}

fn attendee(entry: &ICalendarEntry) -> Option<Value> {
    let mut attendee = person(entry)?;
    let role = parameter(entry, &ICalendarParameterName::Role).unwrap_or("REQ-PARTICIPANT");
    let status = parameter(entry, &ICalendarParameterName::Partstat).unwrap_or("NEEDS-ACTION");
    attendee.insert("role".to_owned(), Value::from(role_of(role)));
    attendee.insert(
        "participation_status".to_owned(),
        Value::from(status.to_ascii_lowercase()),
    );
    Some(Value::Object(attendee))
}

fn role_of(role: &str) -> &'static str {
    match role.to_ascii_uppercase().as_str() {
        "CHAIR" => "chair",
        "OPT-PARTICIPANT" => "optional",
        "NON-PARTICIPANT" => "informational",
        _ => "required",
    }
}

/// Name and address, as far as they are given; `None` if neither is. Older files have the address in a parameter.
fn person(entry: &ICalendarEntry) -> Option<Map<String, Value>> {
    let address = entry
        .values
        .first()
        .and_then(|value| value.as_text())
        .unwrap_or_default();
    let address = strip_mailto_scheme(address.trim());
    let email = Some(address).filter(|address| address.contains('@'));
    let parameter_email = parameter(entry, &ICalendarParameterName::Email);
    let name = parameter(entry, &ICalendarParameterName::Cn).map(|name| name.trim_matches('"'));
    let fields = [
        ("name", name),
        ("email", email.or(parameter_email)),
        ("uri", Some(address).filter(|_| email.is_none())),
    ];
    let fields: Map<_, _> = fields
        .into_iter()
        .filter_map(|(name, text)| {
            Some((
                name.to_owned(),
                Value::from(text.filter(|text| !text.is_empty())?),
            ))
        })
        .collect();
    (!fields.is_empty()).then_some(fields)
}

fn parameter<'a>(entry: &'a ICalendarEntry, name: &ICalendarParameterName) -> Option<&'a str> {
    entry.parameter(name).and_then(|value| value.as_text())
}
