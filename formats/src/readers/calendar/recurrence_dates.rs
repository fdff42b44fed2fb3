//! RDATE and EXDATE as content lines in IANA zones.
//!
//! A date that does not exist is an error, also inside a period.

use calcard::common::PartialDateTime;
use calcard::icalendar::{ICalendarDuration, ICalendarEntry, ICalendarPeriod, ICalendarValue};
use chrono::{DateTime, NaiveDateTime, Utc};

use super::moment::IcsMoment;
use super::zones::{IcsZone, Zones};

/// One RDATE or EXDATE line, rewritten with the IANA name of its zone.
///
/// # Errors
/// A sentence, when a value is no date, a date does not exist or a zone is not known.
pub(super) fn dates_line(
    entry: &ICalendarEntry,
    start: &IcsMoment,
    zones: &mut Zones,
) -> Result<String, String> {
    let zone = entry.tz_id().filter(|zone| !zone.trim().is_empty());
    let zone = zone
        .map(|zone| zones.resolve(zone, start.year()))
        .transpose()?;
    let mut kind = "";
    let mut values = Vec::new();
    for value in &entry.values {
        values.push(match value {
            ICalendarValue::Period(period) => {
                kind = ";VALUE=PERIOD";
                format_period(entry, period)?
            }
            _ => format_date(entry, value, &mut kind, zones)?,
        });
    }
    let zone = match zone {
        _ if kind == ";VALUE=DATE" || values.iter().all(|value| value.ends_with('Z')) => {
            String::new()
        }
        Some(IcsZone::Iana(zone)) => format!(";TZID={}", zone.name()),
        Some(IcsZone::Custom(_)) => {
            return Err(format!(
                "{} is in a time zone that only the file defines",
                entry.name.as_str()
            ));
        }
        None => String::new(),
    };
    Ok(format!(
        "{}{kind}{zone}:{}",
        entry.name.as_str(),
        values.join(",")
    ))
}

fn format_date(
    entry: &ICalendarEntry,
    value: &ICalendarValue,
    kind: &mut &str,
    zones: &mut Zones,
) -> Result<String, String> {
    Ok(match IcsMoment::from_value(entry, value, zones)? {
        IcsMoment::Day(day) => {
            *kind = ";VALUE=DATE";
            day.format("%Y%m%d").to_string()
        }
        IcsMoment::Floating(local) | IcsMoment::Zoned(local, _) => format_local(local),
        IcsMoment::Utc(instant) => format_instant(instant),
    })
}

fn format_period(entry: &ICalendarEntry, period: &ICalendarPeriod) -> Result<String, String> {
    Ok(match period {
        ICalendarPeriod::Range { start, end } => {
            let start = format_period_moment(entry, start)?;
            format!("{start}/{}", format_period_moment(entry, end)?)
        }
        ICalendarPeriod::Duration { start, duration } => {
            let start = format_period_moment(entry, start)?;
            format!("{start}/{}", format_duration(duration))
        }
    })
}

fn format_period_moment(
    entry: &ICalendarEntry,
    written: &PartialDateTime,
) -> Result<String, String> {
    let moment = written
        .to_date_time()
        .ok_or_else(|| format!("{} is a date that does not exist", entry.name.as_str()))?;
    Ok(match moment.offset {
        Some(offset) => format_instant((moment.date_time - offset).and_utc()),
        None => format_local(moment.date_time),
    })
}

fn format_duration(duration: &ICalendarDuration) -> String {
    let sign = if duration.neg { "-" } else { "" };
    let days = duration.weeks * 7 + duration.days;
    format!(
        "{sign}P{days}DT{}H{}M{}S",
        duration.hours, duration.minutes, duration.seconds
    )
}

fn format_local(local: NaiveDateTime) -> String {
    local.format("%Y%m%dT%H%M%S").to_string()
}

fn format_instant(instant: DateTime<Utc>) -> String {
    instant.format("%Y%m%dT%H%M%SZ").to_string()
}
