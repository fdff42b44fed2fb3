//! One date or time of a property, in the frame that the file gives it: a day, a local time, a local time in a zone, an instant.
//! Dates that do not exist are refused.

use calcard::icalendar::{ICalendarEntry, ICalendarValue};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, SecondsFormat, Utc};

use super::zones::{IcsZone, Zones};
use crate::entry::quoted;

/// A date or time as the file gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum IcsMoment {
    Day(NaiveDate),
    Floating(NaiveDateTime),
    Zoned(NaiveDateTime, IcsZone),
    Utc(DateTime<Utc>),
}

impl IcsMoment {
    /// The first value of a property.
    pub(super) fn first_of(entry: &ICalendarEntry, zones: &mut Zones) -> Result<Self, String> {
        let value = entry
            .values
            .first()
            .ok_or_else(|| format!("{} is empty", entry.name.as_str()))?;
        Self::from_value(entry, value, zones)
    }

    /// One of the values of a property, with the property's own TZID.
    pub(super) fn from_value(
        entry: &ICalendarEntry,
        value: &ICalendarValue,
        zones: &mut Zones,
    ) -> Result<Self, String> {
        let name = entry.name.as_str();
        let Some(written) = value.as_partial_date_time() else {
            let text = value.as_text().unwrap_or_default();
            return Err(format!("{name} {} is not a date", quoted(text)));
        };
        let moment = written
            .to_date_time()
            .ok_or_else(|| format!("{name} is a date that does not exist"))?;
        let local = moment.date_time;
        if !written.has_time() {
            return Ok(Self::Day(local.date()));
        }
        match (
            moment.offset,
            entry.tz_id().filter(|zone| !zone.trim().is_empty()),
        ) {
            (Some(offset), _) => Ok(Self::Utc((local - offset).and_utc())),
            (None, Some(zone)) => Ok(Self::Zoned(local, zones.resolve(zone, local.year())?)),
            (None, None) => Ok(Self::Floating(local)),
        }
    }

    /// A one-off event may stand in a zone that nobody else knows: then its instants say all.
    pub(super) fn without_custom_zone(self) -> Self {
        match self.instant() {
            Some(instant) if matches!(self, Self::Zoned(_, IcsZone::Custom(_))) => {
                Self::Utc(instant)
            }
            _ => self,
        }
    }

    /// Whether it stands in a zone that only the file defines.
    pub(super) fn is_custom(&self) -> bool {
        matches!(self, Self::Zoned(_, IcsZone::Custom(_)))
    }

    /// The year in its own zone.
    pub(super) fn year(&self) -> i32 {
        match self {
            Self::Day(day) => day.year(),
            Self::Floating(local) | Self::Zoned(local, _) => local.year(),
            Self::Utc(instant) => instant.year(),
        }
    }

    /// Its instant, where a zone says it.
    pub(super) fn instant(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::Zoned(local, zone) => zone.instant(*local),
            Self::Utc(instant) => Some(*instant),
            Self::Day(_) | Self::Floating(_) => None,
        }
    }

    /// As `recurrence_id`: an instant if it is known, else the day or the local time.
    pub(super) fn to_recurrence_id(&self) -> String {
        match (self, self.instant()) {
            (_, Some(instant)) => rfc3339(instant),
            (Self::Day(day), _) => day.to_string(),
            (Self::Floating(local) | Self::Zoned(local, _), _) => clock(*local),
            (Self::Utc(instant), _) => rfc3339(*instant),
        }
    }

    /// As `start_at` and `end_at`: in UTC, or local to the event's `time_zone`.
    pub(super) fn to_field(&self) -> String {
        match self {
            Self::Day(day) => day.to_string(),
            Self::Floating(local) | Self::Zoned(local, _) => clock(*local),
            Self::Utc(instant) => rfc3339(*instant),
        }
    }
}

fn rfc3339(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn clock(local: NaiveDateTime) -> String {
    local.format("%Y-%m-%dT%H:%M:%S").to_string()
}
