//! What an event says of itself: its texts and its state.

use calcard::icalendar::{ICalendarComponent, ICalendarProperty};
use serde_json::Value;

use super::parsed::text;
use crate::entry::{RecordFields, put};

/// Where programs put the address of a video call, besides CONFERENCE (RFC 7986).
const CONFERENCES: [&str; 3] = [
    "X-GOOGLE-CONFERENCE",
    "X-MICROSOFT-SKYPETEAMSMEETINGURL",
    "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK",
];

/// Title, description, place, links and categories.
pub(super) fn add_texts(fields: &mut RecordFields, event: &ICalendarComponent) {
    let texts = [
        ("title", ICalendarProperty::Summary),
        ("description", ICalendarProperty::Description),
        ("location", ICalendarProperty::Location),
        ("url", ICalendarProperty::Url),
    ];
    for (name, property) in texts {
        put(fields, name, text(event, &property).map(Value::from));
    }
    let conference = text(event, &ICalendarProperty::Conference);
    let conference = conference.or_else(|| {
        CONFERENCES
            .iter()
            .find_map(|name| text(event, &ICalendarProperty::Other((*name).to_owned())))
    });
    put(fields, "conference_url", conference.map(Value::from));
    let categories: Vec<_> = event
        .properties(&ICalendarProperty::Categories)
        .flat_map(|entry| &entry.values)
        .filter_map(|value| value.as_text().map(str::trim))
        .filter(|category| !category.is_empty())
        .map(Value::from)
        .collect();
    put(
        fields,
        "categories",
        Some(categories)
            .filter(|all| !all.is_empty())
            .map(Value::Array),
    );
}

/// Status, free or busy, privacy and sequence; `method` is that of the calendar, in capitals.
pub(super) fn add_state(
    fields: &mut RecordFields,
    event: &ICalendarComponent,
    method: Option<&str>,
) {
    let lower = |property| text(event, &property).map(|text| text.to_ascii_lowercase());
    let status = lower(ICalendarProperty::Status).unwrap_or_default();
    let status = match status.as_str() {
        _ if method == Some("CANCEL") => "cancelled",
        "tentative" => "tentative",
        "cancelled" | "canceled" => "cancelled",
        _ => "confirmed",
    };
    let busy = text(
        event,
        &ICalendarProperty::Other("X-MICROSOFT-CDO-BUSYSTATUS".to_owned()),
    );
    let busy = busy.map(|busy| busy.to_ascii_lowercase());
    let transparency = lower(ICalendarProperty::Transp);
    let free_busy = match (transparency.as_deref(), busy.as_deref()) {
        (Some("transparent"), _) | (None, Some("free")) => "free",
        (_, Some("oof")) => "oof",
        (_, Some("tentative")) => "tentative",
        (_, Some("workingelsewhere")) => "workingElsewhere",
        _ => "busy",
    };
    put(fields, "status", Some(Value::from(status)));
    put(fields, "free_busy", Some(Value::from(free_busy)));
    put(
        fields,
        "privacy",
        lower(ICalendarProperty::Class).map(|class| Value::from(privacy_of(&class))),
    );
    let sequence = event
        .property(&ICalendarProperty::Sequence)
        .and_then(|entry| entry.values.first()?.as_integer());
    put(
        fields,
        "sequence",
        sequence
            .filter(|sequence| i32::try_from(*sequence).is_ok())
            .map(Value::from),
    );
}

/// A class that is not known is to be read as private (RFC 5545 §3.8.1.3).
fn privacy_of(class: &str) -> &'static str {
    match class {
        "public" => "public",
        "confidential" => "confidential",
        _ => "private",
    }
}
