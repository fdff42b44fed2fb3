//! Times as agents write them: RFC 3339, a date, or relative to now, in the operator's zone.
//!
//! Pure: the present and the zone are given. Right across the days on which the zone changes its offset.

mod offset;

use chrono::{DateTime, Datelike, Duration, LocalResult, NaiveDate, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Tz;

use self::offset::{Offset, Unit};
use crate::local_days::LocalDays;

/// Years that PostgreSQL, RFC 3339 and people agree on.
const YEARS: std::ops::RangeInclusive<i32> = 1..=9999;

/// What a written time means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// A point in time.
    Instant(DateTime<Utc>),
    /// A whole local day.
    Day(NaiveDate),
}

/// The present, where the operator is.
#[derive(Clone, Copy, Debug)]
pub struct LocalTime {
    pub now: DateTime<Utc>,
    pub zone: Tz,
}

impl LocalTime {
    /// The operator's present day.
    pub fn today(&self) -> NaiveDate {
        self.day_of(self.now)
    }

    /// The local day that `instant` falls on.
    pub fn day_of(&self, instant: DateTime<Utc>) -> NaiveDate {
        self.days().day_of(instant)
    }

    /// When `day` begins; where midnight is skipped, the first instant after it.
    pub fn start_of(&self, day: NaiveDate) -> DateTime<Utc> {
        self.days().begin(day)
    }

    /// When `day` ends, which is when the next begins.
    pub fn end_of(&self, day: NaiveDate) -> DateTime<Utc> {
        self.start_of(day.succ_opt().unwrap_or(day))
    }

    /// From where to where the clock shows a day before it has begun, by turns.
    pub fn early_edges(&self) -> Vec<DateTime<Utc>> {
        self.days().early_edges()
    }

    fn days(&self) -> LocalDays {
        LocalDays::of(self.zone)
    }

    /// The meaning of `text`; `None` when it has none, or lies outside the years 1 to 9999.
    pub fn parse(&self, text: &str) -> Option<When> {
        let when = parse_absolute(text).or_else(|| self.parse_relative(text))?;
        let year = match when {
            When::Instant(instant) => instant.year(),
            When::Day(day) => day.year(),
        };
        YEARS.contains(&year).then_some(when)
    }

    fn parse_relative(&self, text: &str) -> Option<When> {
        let end = text.find(['+', '-']).unwrap_or(text.len());
        let (base, offset) = text.split_at_checked(end)?;
        let offset = Offset::parse(offset)?;
        let today = self.today();
        match base {
            "now" => self.shift_instant(self.now, offset).map(When::Instant),
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

    fn shift_day(&self, day: NaiveDate, offset: Offset) -> Option<When> {
        match offset.unit {
            Unit::Hours => self.shift_start(day, offset),
            _ => offset.add_to(day).map(When::Day),
        }
    }

    fn shift_start(&self, day: NaiveDate, offset: Offset) -> Option<When> {
        let start = match offset.unit {
            Unit::Hours => self.shift_instant(self.start_of(day), offset)?,
            _ => self.start_of(offset.add_to(day)?),
        };
        Some(When::Instant(start))
    }

    /// Hours are elapsed time; longer units keep the time on the wall.
    fn shift_instant(&self, instant: DateTime<Utc>, offset: Offset) -> Option<DateTime<Utc>> {
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

    /// A time on the wall that comes twice means the first; one that is skipped counts on from before the gap.
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

fn parse_absolute(text: &str) -> Option<When> {
    if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
        return Some(When::Instant(instant.with_timezone(&Utc)));
    }
    let is_date = text.len() == 10;
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    day.filter(|_| is_date).map(When::Day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Days;
    use proptest::prelude::*;

    fn at(now: &str, zone: Tz) -> LocalTime {
        LocalTime {
            now: now.parse().unwrap(),
            zone,
        }
    }

    fn instant(text: &str) -> Option<When> {
        Some(When::Instant(text.parse().unwrap()))
    }

    fn day(text: &str) -> Option<When> {
        Some(When::Day(text.parse().unwrap()))
    }

    #[test]
    fn relative_times_are_those_of_the_operators_zone() {
        // In Berlin it is already Wednesday the 18th, 00:30.
        let local = at("2026-03-17T23:30:00Z", chrono_tz::Europe::Berlin);
        let cases = [
            ("now", instant("2026-03-17T23:30:00Z")),
            ("now-6h", instant("2026-03-17T17:30:00Z")),
            ("now-1d", instant("2026-03-16T23:30:00Z")),
            ("today", day("2026-03-18")),
            ("today-30d", day("2026-02-16")),
            ("today+1w", day("2026-03-25")),
            ("today-6h", instant("2026-03-17T17:00:00Z")),
            ("today-1mo", day("2026-02-18")),
            ("start_of_week", instant("2026-03-15T23:00:00Z")),
            ("start_of_month", instant("2026-02-28T23:00:00Z")),
            ("start_of_month-1mo", instant("2026-01-31T23:00:00Z")),
            ("start_of_year", instant("2025-12-31T23:00:00Z")),
            ("2026-01-05", day("2026-01-05")),
            ("2026-01-05T10:00:00+01:00", instant("2026-01-05T09:00:00Z")),
        ];
        for (text, expected) in cases {
            assert_eq!(local.parse(text), expected, "{text}");
        }
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let local = at("2026-03-17T23:30:00Z", chrono_tz::UTC);
        for text in [
            "",
            "-",
            "now-",
            "now-d",
            "now-6",
            "now-6x",
            "now-6m",
            "yesterday",
            "today-9999999d",
            "today-999999y",
            "2026-13-01",
            "2026-1-5",
            "2026-01-05T10:00:00",
            "now - 6h",
            "now-6h-1d",
            "+1d",
            "today–1d",
        ] {
            assert_eq!(local.parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn days_are_right_where_the_clock_changes() {
        let berlin = at("2026-03-30T10:00:00Z", chrono_tz::Europe::Berlin);
        let spring: NaiveDate = "2026-03-29".parse().unwrap();
        assert_eq!(
            berlin.end_of(spring) - berlin.start_of(spring),
            Duration::hours(23)
        );
        let autumn: NaiveDate = "2026-10-25".parse().unwrap();
        assert_eq!(
            berlin.end_of(autumn) - berlin.start_of(autumn),
            Duration::hours(25)
        );
        // Noon stays noon, an hour shorter ago.
        assert_eq!(berlin.parse("now-2d"), instant("2026-03-28T11:00:00Z"));
        assert_eq!(berlin.parse("now-48h"), instant("2026-03-28T10:00:00Z"));
    }

    #[test]
    fn a_day_whose_midnight_is_skipped_begins_after_the_gap() {
        let cairo = at("2026-05-01T10:00:00Z", chrono_tz::Africa::Cairo);
        let skipped: NaiveDate = "2026-04-24".parse().unwrap();
        assert_eq!(
            cairo.start_of(skipped),
            "2026-04-23T22:00:00Z".parse::<DateTime<Utc>>().unwrap()
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_stumble(text in "(now|today|start_of_(week|month|year))?[+-]?[0-9]{0,7}[a-z]{0,3}|\\PC{0,30}") {
            let _ = at("2026-03-17T23:30:00Z", chrono_tz::America::New_York).parse(&text);
        }

        #[test]
        fn days_follow_each_other_without_gap_or_overlap(offset in 0u64..40_000) {
            let local = at("2026-03-17T23:30:00Z", chrono_tz::America::Santiago);
            let day = NaiveDate::from_ymd_opt(1950, 1, 1).unwrap() + Days::new(offset);
            prop_assert_eq!(local.day_of(local.start_of(day)), day);
            prop_assert_eq!(local.day_of(local.end_of(day) - Duration::nanoseconds(1)), day);
        }
    }
}
