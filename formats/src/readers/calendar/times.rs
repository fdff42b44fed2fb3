//! When an event begins and ends: DTSTART with DTEND or DURATION.
//!
//! All-day and floating times stay dates and local times, zoned times stay local in their zone.
//! An end is brought into the frame of its start.

use calcard::icalendar::{
    ICalendarComponent, ICalendarDuration, ICalendarProperty, ICalendarValue,
};
use chrono::{DateTime, Days, TimeDelta, Utc};
use serde_json::Value;

use super::moment::IcsMoment;
use super::zones::{IcsZone, Zones};
use crate::entry::RecordFields;

const SECONDS_A_DAY: i64 = 86_400;

/// When an event begins and, exclusively, ends; both in one frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EventSpan {
    pub start: IcsMoment,
    end: IcsMoment,
}

impl EventSpan {
    pub(super) fn from_event(
        event: &ICalendarComponent,
        zones: &mut Zones,
    ) -> Result<Self, String> {
        let start = event
            .property(&ICalendarProperty::Dtstart)
            .ok_or("it has no DTSTART")?;
        let start = IcsMoment::first_of(start, zones)?;
        let duration = event
            .property(&ICalendarProperty::Duration)
            .and_then(|entry| entry.values.first());
        let end = match (event.property(&ICalendarProperty::Dtend), duration) {
            (Some(end), _) => in_frame_of(&start, IcsMoment::first_of(end, zones)?)?,
            (None, Some(ICalendarValue::Duration(duration))) => after(&start, duration)?,
            (None, Some(_)) => return Err("DURATION cannot be read".to_owned()),
            (None, None) => start.clone(),
        };
        Self { start, end }.in_order()
    }

    /// A day that ends where it begins is one day long; an end before the start is refused.
    fn in_order(mut self) -> Result<Self, String> {
        let is_backward = match (&self.start, &self.end) {
            (IcsMoment::Day(start), IcsMoment::Day(end)) => end < start,
            (IcsMoment::Floating(start), IcsMoment::Floating(end)) => end < start,
            (start, end) => end.instant() < start.instant(),
        };
        if is_backward {
            return Err(format!(
                "it ends ({}) before it begins ({})",
                self.end.to_field(),
                self.start.to_field()
            ));
        }
        if let (IcsMoment::Day(start), true) = (&self.start, self.start == self.end) {
            self.end = IcsMoment::Day(
                start
                    .checked_add_days(Days::new(1))
                    .ok_or("DTSTART is too far in the future")?,
            );
        }
        Ok(self)
    }

    pub(super) fn without_custom_zone(self) -> Self {
        Self {
            start: self.start.without_custom_zone(),
            end: self.end.without_custom_zone(),
        }
    }

    pub(super) fn write_to(&self, fields: &mut RecordFields) {
        let is_all_day = matches!(self.start, IcsMoment::Day(_));
        let names = if is_all_day {
            ["start_date", "end_date"]
        } else {
            ["start_at", "end_at"]
        };
        for (name, moment) in names.into_iter().zip([&self.start, &self.end]) {
            fields.insert(name.to_owned(), Value::from(moment.to_field()));
        }
        fields.insert("is_all_day".to_owned(), Value::Bool(is_all_day));
        let zone = match &self.start {
            IcsMoment::Zoned(_, IcsZone::Iana(zone)) => zone.name(),
            IcsMoment::Utc(_) => "UTC",
            _ => return,
        };
        fields.insert("time_zone".to_owned(), Value::from(zone));
    }
}

/// An end in the frame of its start: both days, both local in the start's zone, or both in UTC.
fn in_frame_of(start: &IcsMoment, end: IcsMoment) -> Result<IcsMoment, String> {
    let instant = end.instant();
    match (start, end) {
        (IcsMoment::Day(_), end @ IcsMoment::Day(_))
        | (IcsMoment::Floating(_), end @ IcsMoment::Floating(_)) => Ok(end),
        (IcsMoment::Day(_), _) | (_, IcsMoment::Day(_)) => {
            Err("one of DTSTART and DTEND has a time, the other has none".to_owned())
        }
        (IcsMoment::Floating(_), _) => Err("DTEND has a time zone, DTSTART has none".to_owned()),
        (IcsMoment::Zoned(_, zone), IcsMoment::Floating(local)) => {
            Ok(IcsMoment::Zoned(local, zone.clone()))
        }
        (IcsMoment::Utc(_), IcsMoment::Floating(local)) => Ok(IcsMoment::Utc(local.and_utc())),
        (IcsMoment::Utc(_), _) => instant.map(IcsMoment::Utc).ok_or_else(too_far),
        (IcsMoment::Zoned(_, zone), _) => in_zone(zone, instant).ok_or_else(too_far),
    }
}

fn in_zone(zone: &IcsZone, instant: Option<DateTime<Utc>>) -> Option<IcsMoment> {
    Some(IcsMoment::Zoned(zone.local(instant?)?, zone.clone()))
}

/// Days and weeks are counted by the calendar, hours and less by the clock (RFC 5545 §3.3.6).
fn after(start: &IcsMoment, duration: &ICalendarDuration) -> Result<IcsMoment, String> {
    if duration.neg && !duration.is_empty() {
        return Err("DURATION is negative".to_owned());
    }
    let days = Days::new(u64::from(duration.weeks) * 7 + u64::from(duration.days));
    let seconds = i64::from(duration.hours) * 3600
        + i64::from(duration.minutes) * 60
        + i64::from(duration.seconds);
    add_duration(start, days, seconds).ok_or_else(too_far)
}

fn add_duration(start: &IcsMoment, days: Days, seconds: i64) -> Option<IcsMoment> {
    let exact = TimeDelta::try_seconds(seconds)?;
    Some(match start {
        IcsMoment::Day(day) => {
            let begun = u64::try_from((seconds + SECONDS_A_DAY - 1) / SECONDS_A_DAY).ok()?;
            IcsMoment::Day(
                day.checked_add_days(days)?
                    .checked_add_days(Days::new(begun))?,
            )
        }
        IcsMoment::Floating(local) => {
            IcsMoment::Floating(local.checked_add_days(days)?.checked_add_signed(exact)?)
        }
        IcsMoment::Utc(instant) => {
            IcsMoment::Utc(instant.checked_add_days(days)?.checked_add_signed(exact)?)
        }
        IcsMoment::Zoned(local, zone) => {
            let instant = zone.instant(local.checked_add_days(days)?)?;
            in_zone(zone, instant.checked_add_signed(exact))?
        }
    })
}

fn too_far() -> String {
    "it ends beyond the calendar".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::calendar::parsed::parse;
    use serde_json::json;

    fn span(lines: &str) -> Result<Value, String> {
        let event = parse(&format!("BEGIN:VEVENT\n{lines}\nEND:VEVENT\n")).unwrap();
        let mut fields = RecordFields::new();
        EventSpan::from_event(&event.components[0], &mut Zones::default())?.write_to(&mut fields);
        Ok(Value::Object(fields))
    }

    #[test]
    fn an_end_stands_in_the_frame_of_its_start() {
        let table = [
            (
                "DTSTART:20260101T100000Z\nDURATION:PT1H30M",
                json!(["2026-01-01T10:00:00Z", "2026-01-01T11:30:00Z", "UTC"]),
            ),
            (
                "DTSTART:20260101T100000",
                json!(["2026-01-01T10:00:00", "2026-01-01T10:00:00", null]),
            ),
            (
                "DTSTART;TZID=Europe/Berlin:20260101T100000\nDTEND;TZID=America/New_York:20260101T060000",
                json!([
                    "2026-01-01T10:00:00",
                    "2026-01-01T12:00:00",
                    "Europe/Berlin"
                ]),
            ),
            (
                "DTSTART;TZID=Europe/Berlin:20260328T120000\nDURATION:P1D",
                json!([
                    "2026-03-28T12:00:00",
                    "2026-03-29T12:00:00",
                    "Europe/Berlin"
                ]),
            ),
            (
                "DTSTART;TZID=Europe/Berlin:20260328T120000\nDURATION:PT24H",
                json!([
                    "2026-03-28T12:00:00",
                    "2026-03-29T13:00:00",
                    "Europe/Berlin"
                ]),
            ),
            (
                "DTSTART:20260101T100000-0500",
                json!(["2026-01-01T15:00:00Z", "2026-01-01T15:00:00Z", "UTC"]),
            ),
        ];
        for (lines, expected) in table {
            let span = span(lines).unwrap();
            assert_eq!(
                json!([span["start_at"], span["end_at"], span["time_zone"]]),
                expected,
                "{lines}"
            );
        }
    }

    #[test]
    fn days_have_an_end_that_is_not_theirs() {
        let table = [
            ("DTSTART;VALUE=DATE:20260301", "2026-03-02"),
            ("DTSTART;TZID=US/Eastern:20260301", "2026-03-02"),
            (
                "DTSTART;VALUE=DATE:20260301\nDTEND;VALUE=DATE:20260301",
                "2026-03-02",
            ),
            (
                "DTSTART;VALUE=DATE:20260301\nDTEND;VALUE=DATE:20260304",
                "2026-03-04",
            ),
            ("DTSTART;VALUE=DATE:20260301\nDURATION:P1W", "2026-03-08"),
        ];
        for (lines, end) in table {
            let span = span(lines).unwrap();
            assert_eq!(
                (&span["end_date"], &span["is_all_day"]),
                (&json!(end), &json!(true)),
                "{lines}"
            );
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let table = [
            ("SUMMARY:x", "it has no DTSTART"),
            (
                "DTSTART:20260230T100000Z",
                "DTSTART is a date that does not exist",
            ),
            (
                "DTSTART:20260101T250000Z",
                "DTSTART is a date that does not exist",
            ),
            ("DTSTART:tomorrow", "DTSTART `tomorrow` is not a date"),
            (
                "DTSTART:20260102T100000Z\nDTEND:20260101T100000Z",
                "it ends (2026-01-01T10:00:00Z) before it begins (2026-01-02T10:00:00Z)",
            ),
            (
                "DTSTART:20260102T100000Z\nDURATION:-PT1H",
                "DURATION is negative",
            ),
            (
                "DTSTART;VALUE=DATE:20260102\nDTEND:20260103T100000",
                "one of DTSTART and DTEND has a time, the other has none",
            ),
        ];
        for (lines, reason) in table {
            assert_eq!(span(lines).unwrap_err(), reason, "{lines}");
        }
    }
}
