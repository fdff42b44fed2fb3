//! The periods that a rule steps through.
//!
//! What it is for: the nth year, month, week or day of a rule, and the number of the period at a
//! given day, so that an old series need not be walked from its start.
//! What it must not know: which days inside a period match.
//!
//! Hourly and shorter rules step through every day; `times` applies their interval.

use chrono::{Datelike, Days, NaiveDate};

use super::rule::{Frequency, Rule};

/// The last year that has four digits.
const YEAR_MAX: i32 = 9999;

const DAYS_A_WEEK: u64 = 7;

/// One period: its first day and the first day after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Period {
    pub(super) first: NaiveDate,
    pub(super) after: NaiveDate,
}

impl Period {
    /// Its days, in order.
    pub(super) fn days(self) -> impl Iterator<Item = NaiveDate> {
        self.first
            .iter_days()
            .take_while(move |day| *day < self.after)
    }
}

/// All periods of a rule, numbered from 0 for the one that contains its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Periods {
    frequency: Frequency,
    interval: u32,
    origin: NaiveDate,
}

impl Periods {
    pub(super) fn from_rule(rule: &Rule, start: NaiveDate) -> Self {
        let frequency = rule.frequency.min(Frequency::Daily);
        let is_shorter_than_a_day = rule.frequency > Frequency::Daily;
        let interval = if is_shorter_than_a_day {
            1
        } else {
            rule.interval
        };
        let days_into_week = start.weekday().days_since(rule.week_start);
        let origin = match frequency {
            Frequency::Weekly => start - Days::new(days_into_week.into()),
            _ => start,
        };
        Self {
            frequency,
            interval,
            origin,
        }
    }

    /// The number of the last period that begins on or before the day; 0 if none does.
    pub(super) fn number_at(&self, day: NaiveDate) -> u32 {
        let days = (day - self.origin).num_days();
        let steps = match self.frequency {
            Frequency::Yearly => i64::from(day.year() - self.origin.year()),
            Frequency::Monthly => {
                i64::from(months_since_year_zero(day) - months_since_year_zero(self.origin))
            }
            Frequency::Weekly => days.div_euclid(7),
            _ => days,
        };
        u32::try_from(steps.max(0) / i64::from(self.interval)).unwrap_or(u32::MAX)
    }

    /// The nth period; `None` past the last year that has four digits.
    pub(super) fn get(&self, number: u32) -> Option<Period> {
        let steps = number.checked_mul(self.interval)?;
        let period = match self.frequency {
            Frequency::Yearly => self.year(steps),
            Frequency::Monthly => self.month(steps),
            Frequency::Weekly => self.days_from_origin(u64::from(steps) * DAYS_A_WEEK, DAYS_A_WEEK),
            _ => self.days_from_origin(steps.into(), 1),
        }?;
        (period.first.year() <= YEAR_MAX).then_some(period)
    }

    fn year(&self, steps: u32) -> Option<Period> {
        let year = self.origin.year().checked_add_unsigned(steps)?;
        let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
        Some(Period {
            first,
            after: NaiveDate::from_ymd_opt(year.checked_add(1)?, 1, 1)?,
        })
    }

    fn month(&self, steps: u32) -> Option<Period> {
        let months = months_since_year_zero(self.origin).checked_add_unsigned(steps)?;
        let first = |months: i32| {
            let month = u32::try_from(months.rem_euclid(12)).ok()? + 1;
            NaiveDate::from_ymd_opt(months.div_euclid(12), month, 1)
        };
        Some(Period {
            first: first(months)?,
            after: first(months.checked_add(1)?)?,
        })
    }

    fn days_from_origin(&self, skipped_days: u64, days: u64) -> Option<Period> {
        let first = self.origin.checked_add_days(Days::new(skipped_days))?;
        Some(Period {
            first,
            after: first.checked_add_days(Days::new(days))?,
        })
    }
}

/// Months since the beginning of the year 0.
fn months_since_year_zero(day: NaiveDate) -> i32 {
    day.year() * 12 + day.month0().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_to_the_stretch_that_holds_a_day() {
        let cases = [
            (
                "FREQ=YEARLY;INTERVAL=3",
                "2026-05-05",
                8,
                "2024-01-01",
                "2025-01-01",
            ),
            (
                "FREQ=MONTHLY;INTERVAL=5",
                "2024-02-29",
                57,
                "2023-10-01",
                "2023-11-01",
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2",
                "2000-01-20",
                1,
                "2000-01-10",
                "2000-01-17",
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
                "2000-01-20",
                1,
                "2000-01-09",
                "2000-01-16",
            ),
            (
                "FREQ=DAILY;INTERVAL=7",
                "2000-01-20",
                2,
                "2000-01-15",
                "2000-01-16",
            ),
            (
                "FREQ=SECONDLY;INTERVAL=7",
                "2000-01-20",
                19,
                "2000-01-20",
                "2000-01-21",
            ),
            ("FREQ=DAILY", "1990-01-01", 0, "2000-01-01", "2000-01-02"),
        ];
        for (text, day, number, first, after) in cases {
            let start = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap();
            let periods = Periods::from_rule(&Rule::parse(text).unwrap(), start);
            assert_eq!(periods.number_at(day.parse().unwrap()), number, "{text}");
            let period = periods.get(number).unwrap();
            assert_eq!(period.first.to_string(), first, "{text}");
            assert_eq!(period.after.to_string(), after, "{text}");
        }
    }

    #[test]
    fn ends_with_the_last_year() {
        let start = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap();
        let periods = Periods::from_rule(&Rule::parse("FREQ=YEARLY").unwrap(), start);
        assert!(periods.get(7_999).is_some());
        assert!(periods.get(8_000).is_none());
        assert!(periods.get(u32::MAX).is_none());
    }
}
