//! The alarms of an event: VALARM (RFC 5545 §3.6.6) as `{"method", "minutes_before"}` or `{"method", "at"}`.

use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarParameterName, ICalendarParameterValue,
    ICalendarProperty, ICalendarRelated, ICalendarValue,
};
use chrono::SecondsFormat;
use serde_json::{Value, json};

const SECONDS_A_MINUTE: i64 = 60;

/// The alarms of an event; `None` if it has none. An alarm whose trigger cannot be read is left out, since the event is
/// useful without it; the caller counts those with [`count`].
pub(super) fn reminders(event: &ICalendar) -> Option<Value> {
    let reminders: Vec<_> = event.alarms_for_id(0).filter_map(reminder).collect();
    (!reminders.is_empty()).then_some(Value::Array(reminders))
}

/// How many alarms of an event can be read.
pub(super) fn count(event: &ICalendar) -> usize {
    event.alarms_for_id(0).filter_map(reminder).count()
}

fn reminder(alarm: &ICalendarComponent) -> Option<Value> {
    let trigger = alarm.property(&ICalendarProperty::Trigger)?;
    let action = alarm
        .property(&ICalendarProperty::Action)
        .and_then(|entry| entry.values.first()?.as_text());
    let method = action.unwrap_or("DISPLAY").to_ascii_lowercase();
    match trigger.values.first()? {
        ICalendarValue::Duration(duration) => {
            let minutes = -duration.as_seconds() / SECONDS_A_MINUTE;
            let related = trigger.parameter(&ICalendarParameterName::Related);
            let is_from_end =
                related == Some(&ICalendarParameterValue::Related(ICalendarRelated::End));
            Some(match is_from_end {
                true => json!({"method": method, "minutes_before": minutes, "relative_to": "end"}),
                false => json!({"method": method, "minutes_before": minutes}),
            })
        }
        ICalendarValue::PartialDateTime(at) => {
            let at = at.to_date_time()?.date_time.and_utc();
            Some(json!({"method": method, "at": at.to_rfc3339_opts(SecondsFormat::Secs, true)}))
        }
        _ => None,
    }
}
