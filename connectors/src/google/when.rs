//! Days and times of events: `date`, or `dateTime` with the `timeZone` in which it was planned.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use chrono_tz::Tz;
use serde::Deserialize;

/// A day or a time, as an event has it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct EventTime {
    date: Option<String>,
    date_time: Option<String>,
    time_zone: Option<String>,
}

/// The same, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Day(NaiveDate),
    /// In the zone in which it was planned.
    Local(NaiveDateTime, Tz),
    Instant(DateTime<Utc>),
}

impl EventTime {
    /// The moment; `calendar` is the zone of a time that names none. `None` for what is no day and no time.
    pub(super) fn read(&self, calendar: Option<Tz>) -> Option<Moment> {
        if let Some(date) = &self.date {
            return date.parse().ok().map(Moment::Day);
        }
        let text = self.date_time.as_deref()?;
        let own = self.time_zone.as_deref().and_then(|name| name.parse().ok());
        let zone: Option<Tz> = own.or(calendar);
        // The offset is that of the answer's zone, which need not be the event's.
        if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
            return Some(Moment::in_zone(instant.to_utc(), zone));
        }
        let local: NaiveDateTime = text.parse().ok()?;
        Some(match zone {
            None | Some(Tz::UTC) => Moment::Instant(local.and_utc()),
            Some(zone) => Moment::Local(local, zone),
        })
    }
}

impl Moment {
    fn in_zone(instant: DateTime<Utc>, zone: Option<Tz>) -> Self {
        match zone {
            None | Some(Tz::UTC) => Self::Instant(instant),
            Some(zone) => Self::Local(instant.with_timezone(&zone).naive_local(), zone),
        }
    }

    /// The same in the zone of another, as the dates that a rule leaves out are written.
    pub(super) fn like(self, other: Self) -> Self {
        let instant = match self {
            Self::Instant(instant) => instant,
            Self::Local(local, zone) => match local.and_local_timezone(zone).earliest() {
                Some(instant) => instant.to_utc(),
                None => return self,
            },
            Self::Day(_) => return self,
        };
        match other {
            Self::Local(_, zone) => Self::in_zone(instant, Some(zone)),
            Self::Instant(_) => Self::Instant(instant),
            Self::Day(_) => self,
        }
    }

    /// The head of a line with this name, and its value.
    pub(super) fn property(self, name: &str) -> (String, String) {
        match self {
            Self::Day(day) => (
                format!("{name};VALUE=DATE"),
                day.format("%Y%m%d").to_string(),
            ),
            Self::Local(local, zone) => (
                format!("{name};TZID={}", zone.name()),
                local.format("%Y%m%dT%H%M%S").to_string(),
            ),
            Self::Instant(instant) => (
                name.to_owned(),
                instant.format("%Y%m%dT%H%M%SZ").to_string(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn property(time: serde_json::Value) -> Option<String> {
        let time: EventTime = serde_json::from_value(time).unwrap();
        let (head, value) = time.read(Some(Tz::Europe__Berlin))?.property("DTSTART");
        Some(format!("{head}:{value}"))
    }

    #[test]
    fn a_time_is_in_the_zone_in_which_it_was_planned() {
        let table = [
            (json!({"date": "2026-03-29"}), "DTSTART;VALUE=DATE:20260329"),
            (
                json!({"dateTime": "2026-01-05T09:00:00+01:00", "timeZone": "America/New_York"}),
                "DTSTART;TZID=America/New_York:20260105T030000",
            ),
            (
                json!({"dateTime": "2026-07-05T09:00:00Z"}),
                "DTSTART;TZID=Europe/Berlin:20260705T110000",
            ),
            (
                json!({"dateTime": "2026-07-05T09:00:00+02:00", "timeZone": "UTC"}),
                "DTSTART:20260705T070000Z",
            ),
            (
                json!({"dateTime": "2026-07-05T09:00:00", "timeZone": "Asia/Tokyo"}),
                "DTSTART;TZID=Asia/Tokyo:20260705T090000",
            ),
            (
                json!({"dateTime": "2026-07-05T09:00:00Z", "timeZone": "Nowhere/Middle"}),
                "DTSTART;TZID=Europe/Berlin:20260705T110000",
            ),
        ];
        for (time, expected) in table {
            assert_eq!(property(time).as_deref(), Some(expected));
        }
        for nothing in [
            json!({}),
            json!({"date": "2026-02-30"}),
            json!({"dateTime": "soon"}),
        ] {
            assert_eq!(property(nothing), None);
        }
    }
}
