use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use chrono_tz::Tz;
use serde_json::Value;

use crate::export::content_line::ContentLine;
use crate::export::document::{instant, text};

const UTC: &str = "%Y%m%dT%H%M%SZ";
const LOCAL: &str = "%Y%m%dT%H%M%S";
const DAY: &str = "%Y%m%d";

/// The form of an event's times (RFC 5545 3.3.5).
#[derive(Clone, Copy)]
pub(super) enum TimeForm {
    Days,
    Utc,
    In(Tz),
    /// Local time without a zone; instants are shown in the person's zone.
    Floating(Tz),
}

/// An instant in UTC, as iCalendar writes it.
pub(super) fn utc(moment: DateTime<Utc>) -> String {
    moment.format(UTC).to_string()
}

impl TimeForm {
    /// The form of the event itself.
    pub(super) fn of(row: &Value, person: Tz) -> Self {
        Self::from_members(row, "is_all_day", "time_zone", person)
    }

    /// The form of the series that an exception belongs to, if the series is stored.
    pub(super) fn of_series(row: &Value, person: Tz) -> Option<Self> {
        row.get("of_days")?.as_bool()?;
        Some(Self::from_members(row, "of_days", "of_zone", person))
    }

    fn from_members(row: &Value, days: &str, zone: &str, person: Tz) -> Self {
        if row.get(days).and_then(Value::as_bool) == Some(true) {
            return Self::Days;
        }
        match text(row, zone) {
            None => Self::Floating(person),
            Some(name) => match name.parse() {
                Ok(Tz::UTC | Tz::Etc__UTC) | Err(_) => Self::Utc,
                Ok(zone) => Self::In(zone),
            },
        }
    }

    /// Writes DTSTART, and DTEND where it is later: an event without a duration has none (RFC 5545 §3.6.1).
    pub(super) fn write_bounds(&self, row: &Value, out: &mut Vec<u8>) {
        if matches!(self, Self::Days) {
            let day = |name| text(row, name)?.parse().ok();
            let (start, end): (Option<NaiveDate>, _) = (day("start_date"), day("end_date"));
            for (name, day) in [
                ("DTSTART", start),
                ("DTEND", end.filter(|end| Some(*end) > start)),
            ] {
                if let Some(day) = day {
                    Self::write_day(name, day, out);
                }
            }
            return;
        }
        let (start, end) = (instant(row, "start_at"), instant(row, "end_at"));
        for (name, moment) in [
            ("DTSTART", start),
            ("DTEND", end.filter(|end| Some(*end) > start)),
        ] {
            if let Some(moment) = moment {
                self.write_moment(name, moment, out);
            }
        }
    }

    /// RECURRENCE-ID: an instant, a day or a local time, as it is kept.
    pub(super) fn write_recurrence_id(&self, kept: &str, out: &mut Vec<u8>) {
        const NAME: &str = "RECURRENCE-ID";
        if let Ok(instant) = kept.parse::<DateTime<Utc>>() {
            return self.write_moment(NAME, instant, out);
        }
        if let Ok(local) = kept.parse::<NaiveDateTime>() {
            let line = match self {
                Self::In(zone) => ContentLine::new(NAME).with("TZID", zone.name()),
                _ => ContentLine::new(NAME),
            };
            return line.value(&local.format(LOCAL).to_string(), out);
        }
        if let Ok(day) = kept.parse() {
            Self::write_day(NAME, day, out);
        }
    }

    fn write_day(name: &str, day: NaiveDate, out: &mut Vec<u8>) {
        let day = day.format(DAY).to_string();
        ContentLine::new(name)
            .with("VALUE", "DATE")
            .value(&day, out);
    }

    fn write_moment(&self, name: &str, moment: DateTime<Utc>, out: &mut Vec<u8>) {
        let local = |zone: &Tz| moment.with_timezone(zone).format(LOCAL).to_string();
        match self {
            Self::In(zone) => ContentLine::new(name)
                .with("TZID", zone.name())
                .value(&local(zone), out),
            Self::Floating(zone) => ContentLine::new(name).value(&local(zone), out),
            Self::Utc | Self::Days => ContentLine::new(name).value(&utc(moment), out),
        }
    }
}
