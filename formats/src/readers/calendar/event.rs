//! VEVENT as a record of `calendar.series`.
//!
//! Masters, one-off events and exceptions are records of their own; an exception names its master by
//! `series_source_id`. The component itself goes along as `raw_ical`.

use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarParameterName, ICalendarProperty,
};
use serde_json::Value;

use super::components::IcsComponent;
use super::moment::IcsMoment;
use super::outline::IcsCalendar;
use super::parsed::{parse, text};
use super::times::EventSpan;
use super::zones::Zones;
use super::{description, people, recurrence, reminders};
use crate::entry::identity::Identities;
use crate::entry::{LeftBehind, RecordFields, put, quoted};

/// The longest component that is kept as it stands.
const RAW_BYTES_MAX: usize = 256 * 1024;
/// Messages about an event that are not the event (RFC 5546): storing them would put a part in place of the whole.
const MESSAGES: [&str; 5] = ["ADD", "REPLY", "REFRESH", "COUNTER", "DECLINECOUNTER"];
/// The fields of the record, or a sentence that says why there is none.
pub(super) fn map(
    component: &IcsComponent,
    calendar: &mut IcsCalendar,
    identities: &mut Identities,
    left_behind: &LeftBehind,
) -> Result<RecordFields, String> {
    refuse_others(component, calendar.method.as_deref())?;
    let parsed = parse(&component.text).ok_or("it cannot be read as iCalendar")?;
    let event = parsed.components.first().ok_or("it is empty")?;
    let mut fields = RecordFields::new();
    let start = add_times(&mut fields, event, &component.text, &mut calendar.zones)?;
    description::add_texts(&mut fields, event);
    description::add_state(&mut fields, event, calendar.method.as_deref());
    add_parts(&mut fields, &parsed, event);
    put(
        &mut fields,
        "updated_at",
        last_modified(event, &mut calendar.zones),
    );
    identify(&mut fields, event, identities, &mut calendar.zones)?;
    if let IcsMoment::Floating(_) = start {
        // After the id, which must be the same whatever zone the person names.
        let zone = calendar.zone_of_floating(start.year());
        put(&mut fields, "time_zone", zone.map(|zone| zone.name()));
    }
    fields.insert(
        "calendar".to_owned(),
        Value::Object(calendar.fields.clone()),
    );
    let raw = Some(&component.text).filter(|text| text.len() <= RAW_BYTES_MAX);
    put(
        &mut fields,
        "raw_ical",
        raw.map(|text| Value::from(text.replace('\n', "\r\n"))),
    );
    count_left_behind(component, &parsed, event, left_behind);
    Ok(fields)
}

/// What no field holds. Links to attachments stay in `raw_ical`, where the whole component does.
fn count_left_behind(
    component: &IcsComponent,
    parsed: &ICalendar,
    event: &ICalendarComponent,
    left_behind: &LeftBehind,
) {
    let embedded = component.text.lines().filter(|line| is_embedded(line));
    left_behind.add_many("attachments", embedded.count() as u64 + component.dropped);
    let pictures = event.properties(&ICalendarProperty::Image).count();
    left_behind.add_many("pictures", pictures as u64);
    let unread = parsed.alarms_for_id(0).count() - reminders::count(parsed);
    left_behind.add_many("alarms that cannot be read", unread as u64);
    if component.text.len() > RAW_BYTES_MAX {
        left_behind.add("whole texts of long events");
    }
}

/// Whether a line holds the bytes of a file, of the event or of an alarm.
fn is_embedded(line: &str) -> bool {
    let Some((head, value)) = line.split_once(':') else {
        return false;
    };
    let head = head.to_ascii_uppercase();
    let is_data = || {
        value
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("data:"))
    };
    head.starts_with("ATTACH") && (head.contains("BASE64") || head.contains("=BINARY") || is_data())
}

fn refuse_others(component: &IcsComponent, method: Option<&str>) -> Result<(), String> {
    if let Some(fault) = &component.fault {
        return Err(fault.to_string());
    }
    match (component.kind.as_str(), method) {
        ("VEVENT", Some(method)) if MESSAGES.contains(&method) => Err(format!(
            "the file is a message about the event (METHOD:{method}), not the event"
        )),
        ("VEVENT", _) => Ok(()),
        ("VTODO", _) => Err("to-dos are not stored: the calendar sector holds events".to_owned()),
        ("VJOURNAL", _) => {
            Err("journal entries are not stored: the calendar sector holds events".to_owned())
        }
        ("VFREEBUSY", _) => {
            Err("free-busy times are not stored: they say when, but not which event".to_owned())
        }
        ("VAVAILABILITY", _) => {
            Err("hours of availability are not stored: the calendar sector holds events".to_owned())
        }
        ("VCARD", _) => Err("this is a contact; contacts are read from .vcf files".to_owned()),
        (kind, _) => Err(format!("a component {} has no table", quoted(kind))),
    }
}

fn add_times(
    fields: &mut RecordFields,
    event: &ICalendarComponent,
    text: &str,
    zones: &mut Zones,
) -> Result<IcsMoment, String> {
    let span = EventSpan::from_event(event, zones)?;
    let start = span.start.clone();
    let lines = recurrence::lines(event, text, &start, zones)?;
    span.without_custom_zone().write_to(fields);
    put(
        fields,
        "rrule",
        Some(lines)
            .filter(|lines| !lines.is_empty())
            .map(Value::from),
    );
    Ok(start)
}

fn add_parts(fields: &mut RecordFields, parsed: &ICalendar, event: &ICalendarComponent) {
    put(fields, "organizer", people::organizer(event));
    put(fields, "attendees", people::attendees(event));
    put(fields, "reminders", reminders::reminders(parsed));
}

/// When the event was changed, so that an older export does not undo a newer one. DTSTAMP would not do: it is
/// often the moment of the export.
fn last_modified(event: &ICalendarComponent, zones: &mut Zones) -> Option<Value> {
    let moment =
        IcsMoment::first_of(event.property(&ICalendarProperty::LastModified)?, zones).ok()?;
    matches!(moment, IcsMoment::Utc(_)).then(|| Value::from(moment.to_recurrence_id()))
}

/// The id: the UID, with the moment it stands for if it is an exception.
fn identify(
    fields: &mut RecordFields,
    event: &ICalendarComponent,
    identities: &mut Identities,
    zones: &mut Zones,
) -> Result<(), String> {
    let uid = text(event, &ICalendarProperty::Uid);
    let moment = recurrence_id(event, zones)?;
    let id = match (&uid, &moment) {
        (Some(uid), None) => identities.id_from_key(uid, fields),
        (Some(uid), Some(moment)) => identities.id_from_key(&format!("{uid}/{moment}"), fields),
        (None, None) => identities.id_from_content("", fields),
        (None, Some(_)) => {
            return Err(
                "it is an exception (RECURRENCE-ID) of a series that it does not name (no UID)"
                    .to_owned(),
            );
        }
    };
    put(fields, "id", Some(Value::from(id)));
    put(
        fields,
        "series_source_id",
        uid.clone().filter(|_| moment.is_some()).map(Value::from),
    );
    put(fields, "recurrence_id", moment.map(Value::from));
    put(fields, "uid", uid.map(Value::from));
    Ok(())
}

fn recurrence_id(event: &ICalendarComponent, zones: &mut Zones) -> Result<Option<String>, String> {
    let Some(entry) = event.property(&ICalendarProperty::RecurrenceId) else {
        return Ok(None);
    };
    if entry.has_parameter(&ICalendarParameterName::Range) {
        return Err(
            "it changes all later events of its series at once (RANGE), which is not followed"
                .to_owned(),
        );
    }
    IcsMoment::first_of(entry, zones).map(|moment| Some(moment.to_recurrence_id()))
}
