//! Times as agents write them: RFC 3339, a date, or relative to now, in the operator's zone.
//!
//! Pure: the present and the zone are given. Correct on days on which the zone changes its offset too.

mod offset;

use chrono::{DateTime, Datelike, Duration, LocalResult, NaiveDate, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Tz;

use self::offset::{RelativeOffset, Unit};
use crate::local_days::LocalDays;

/// The years that both PostgreSQL and RFC 3339 can write.
const YEARS: std::ops::RangeInclusive<i32> = 1..=9999;

/// The meaning of a time in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParsedTime {
    /// A point in time.
    Instant(DateTime<Utc>),
    /// A whole local day.
    Day(NaiveDate),
}

/// The present, and the operator's zone.
#[derive(Clone, Copy, Debug)]
pub struct LocalTime {
    pub now: DateTime<Utc>,
    pub zone: Tz,
}

impl LocalTime {
    /// The present local day.
    pub fn today(&self) -> NaiveDate {
        self.day_of(self.now)
    }

    /// The local day that `instant` falls on.
    pub fn day_of(&self, instant: DateTime<Utc>) -> NaiveDate {
        self.days().day_of(instant)
    }

    /// The first instant of `day`; where a clock change skips midnight, the first one after it.
    pub fn start_of(&self, day: NaiveDate) -> DateTime<Utc> {
        self.days().begin(day)
    }

    /// The first instant after `day`.
    pub fn end_of(&self, day: NaiveDate) -> DateTime<Utc> {
        self.start_of(day.succ_opt().unwrap_or(day))
    }

    /// The beginnings and ends, by turns, of the intervals in which the clock shows a day that has not begun.
    pub(crate) fn early_edges(&self) -> Vec<DateTime<Utc>> {
        self.days().early_edges()
    }

    fn days(&self) -> LocalDays {
        LocalDays::of(self.zone)
    }

    /// The meaning of `text`; `None` when it has none, or lies outside the years 1 to 9999.
    pub fn parse(&self, text: &str) -> Option<ParsedTime> {
        let when = parse_absolute(text).or_else(|| self.parse_relative(text))?;
        let year = match when {
            ParsedTime::Instant(instant) => instant.year(),
            ParsedTime::Day(day) => day.year(),
        };
        YEARS.contains(&year).then_some(when)
    }

    fn parse_relative(&self, text: &str) -> Option<ParsedTime> {
        let end = text.find(['+', '-']).unwrap_or(text.len());
        let (base, offset) = text.split_at_checked(end)?;
        let offset = RelativeOffset::parse(offset)?;
        let today = self.today();
        match base {
            "now" => self
                .shift_instant(self.now, offset)
                .map(ParsedTime::Instant),
            "today" => self.shift_day(today, offset),
            "start_of_week" => {
                let monday = today.week(chrono::Weekday::Mon).checked_first_day()?;
                self.shift_start(monday, offset)
            }
            "start_of_month" => self.shift_start(today.with_day(1)?, offset),
            "start_of_year" => self.shift_start(today.with_ordinal(1)?, offset),
            _ => None,
        }
    }

    fn shift_day(&self, day: NaiveDate, offset: RelativeOffset) -> Option<ParsedTime> {
        match offset.unit {
            Unit::Hours => self.shift_start(day, offset),
            _ => offset.add_to(day).map(ParsedTime::Day),
        }
    }

    fn shift_start(&self, day: NaiveDate, offset: RelativeOffset) -> Option<ParsedTime> {
        let start = match offset.unit {
            Unit::Hours => self.shift_instant(self.start_of(day), offset)?,
            _ => self.start_of(offset.add_to(day)?),
        };
        Some(ParsedTime::Instant(start))
    }

    /// Hours are elapsed time; longer units keep the local time of day.
    fn shift_instant(
        &self,
        instant: DateTime<Utc>,
        offset: RelativeOffset,
    ) -> Option<DateTime<Utc>> {
        match offset.unit {
            Unit::Hours => instant.checked_add_signed(Duration::try_hours(offset.count)?),
            _ if offset.count == 0 => Some(instant),
            _ => {
                let local = instant.with_timezone(&self.zone).naive_local();
                let day = offset.add_to(local.date())?;
                Some(self.resolve(day.and_time(local.time())))
            }
        }
    }

    /// The instant of a local time: the first one of a time that comes twice; for a skipped time, the one that it would be with
    /// the offset before the gap (RFC 5545 §3.3.5).
    fn resolve(&self, local: NaiveDateTime) -> DateTime<Utc> {
        match self.zone.from_local_datetime(&local) {
            LocalResult::Single(instant) | LocalResult::Ambiguous(instant, _) => {
                instant.with_timezone(&Utc)
            }
            LocalResult::None => {
                let before = local - Duration::days(1);
                let offset = chrono::Offset::fix(&self.zone.offset_from_utc_datetime(&before));
                Utc.from_utc_datetime(&(local - offset))
            }
        }
    }
}

fn parse_absolute(text: &str) -> Option<ParsedTime> {
    if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
        return Some(ParsedTime::Instant(instant.with_timezone(&Utc)));
    }
    let is_date = text.len() == 10;
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    day.filter(|_| is_date).map(ParsedTime::Day)
}

#[cfg(test)]
mod tests;
