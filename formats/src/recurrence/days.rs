//! Which days match a rule.
//!
//! What it is for: every `BY…` part that chooses days, as one test of one day. Within one period
//! of a rule, "expand" and "limit" in the table of RFC 5545 §3.3.10 give the same days.
//! What it must not know: times of the day, intervals, and where a series ends.

use chrono::{Datelike, NaiveDate, Weekday};

use super::rule::{ByDay, Frequency, Rule};

/// The period within which an `nth` weekday is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NthScope {
    Year,
    Month,
    /// RFC 5545 forbids a number with this frequency; it is ignored.
    Ignored,
}

/// The days of a rule. An empty list allows every day.
#[derive(Debug)]
pub(super) struct DayFilter {
    months: Vec<u32>,
    week_numbers: Vec<i32>,
    year_days: Vec<i32>,
    month_days: Vec<i32>,
    by_day: Vec<ByDay>,
    scope: NthScope,
    week_start: Weekday,
}

impl DayFilter {
    /// The parts of a rule, completed from its start where no part chooses a day.
    pub(super) fn from_rule(rule: &Rule, start: NaiveDate) -> Self {
        let mut filter = Self {
            months: rule.months.clone(),
            week_numbers: rule.week_numbers.clone(),
            year_days: rule.year_days.clone(),
            month_days: rule.month_days.clone(),
            by_day: rule.by_day.clone(),
            scope: nth_scope(rule),
            week_start: rule.week_start,
        };
        filter.complete_from_start(rule.frequency, start);
        filter
    }

    /// Whether a day passes every part that chooses days.
    pub(super) fn matches(&self, day: NaiveDate) -> bool {
        (self.months.is_empty() || self.months.contains(&day.month()))
            && allows(&self.month_days, || (day.day(), days_in_month(day)))
            && allows(&self.year_days, || {
                (day.ordinal(), days_in_year(day.year()))
            })
            && allows(&self.week_numbers, || week_of_year(day, self.week_start))
            && (self.by_day.is_empty()
                || self
                    .by_day
                    .iter()
                    .any(|by_day| self.matches_weekday(day, *by_day)))
    }

    fn complete_from_start(&mut self, frequency: Frequency, start: NaiveDate) {
        let has_no_day_part =
            self.year_days.is_empty() && self.month_days.is_empty() && self.by_day.is_empty();
        if !has_no_day_part {
            return;
        }
        match frequency {
            Frequency::Yearly if !self.week_numbers.is_empty() => {
                self.restrict_to_weekday_of(start)
            }
            Frequency::Yearly => {
                if self.months.is_empty() {
                    self.months.push(start.month());
                }
                self.month_days.push(start.day().cast_signed());
            }
            Frequency::Monthly => self.month_days.push(start.day().cast_signed()),
            Frequency::Weekly => self.restrict_to_weekday_of(start),
            _ => {}
        }
    }

    fn restrict_to_weekday_of(&mut self, start: NaiveDate) {
        self.by_day.push(ByDay {
            nth: None,
            weekday: start.weekday(),
        });
    }

    fn matches_weekday(&self, day: NaiveDate, by_day: ByDay) -> bool {
        if day.weekday() != by_day.weekday {
            return false;
        }
        let (position, length) = match self.scope {
            NthScope::Year => (day.ordinal0(), days_in_year(day.year())),
            NthScope::Month => (day.day0(), days_in_month(day)),
            NthScope::Ignored => return true,
        };
        let from_start = (position / 7 + 1).cast_signed();
        let from_end = -((length - 1 - position) / 7 + 1).cast_signed();
        by_day
            .nth
            .is_none_or(|nth| nth == from_start || nth == from_end)
    }
}

fn nth_scope(rule: &Rule) -> NthScope {
    match rule.frequency {
        Frequency::Yearly if rule.months.is_empty() => NthScope::Year,
        Frequency::Yearly | Frequency::Monthly => NthScope::Month,
        _ => NthScope::Ignored,
    }
}

/// Whether a list contains a position, counted from 1, or from the end if negative; an empty list
/// allows all. The position and the length are computed only when the list is not empty.
fn allows(list: &[i32], position_and_length: impl Fn() -> (u32, u32)) -> bool {
    if list.is_empty() {
        return true;
    }
    let (number, length) = position_and_length();
    let from_end = number.cast_signed() - length.cast_signed() - 1;
    list.contains(&number.cast_signed()) || list.contains(&from_end)
}

/// The number of the week that contains a day, and how many weeks its year has. The first week of
/// a year is the first with four days or more in it (RFC 5545 §3.3.10, `BYWEEKNO`).
fn week_of_year(day: NaiveDate, week_start: Weekday) -> (u32, u32) {
    let days_into_week = day.weekday().days_since(week_start).cast_signed();
    let fourth_day_ordinal = day.ordinal().cast_signed() - days_into_week + 3;
    let length = days_in_year(day.year()).cast_signed();
    let (year, ordinal) = if fourth_day_ordinal < 1 {
        (
            day.year() - 1,
            fourth_day_ordinal + days_in_year(day.year() - 1).cast_signed(),
        )
    } else if fourth_day_ordinal > length {
        (day.year() + 1, fourth_day_ordinal - length)
    } else {
        (day.year(), fourth_day_ordinal)
    };
    let number = (ordinal.cast_unsigned() - 1) / 7 + 1;
    let later_weeks = (days_in_year(year) - ordinal.cast_unsigned()) / 7;
    (number, number + later_weeks)
}

fn days_in_month(day: NaiveDate) -> u32 {
    day.num_days_in_month().into()
}

fn days_in_year(year: i32) -> u32 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if is_leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_that_start_on_monday_are_those_of_iso_8601() {
        let mut day = NaiveDate::from_ymd_opt(1995, 1, 1).unwrap();
        let end = NaiveDate::from_ymd_opt(2045, 1, 1).unwrap();
        while day < end {
            let (number, weeks) = week_of_year(day, Weekday::Mon);
            assert_eq!(number, day.iso_week().week(), "{day}");
            let last = NaiveDate::from_ymd_opt(day.iso_week().year(), 12, 28).unwrap();
            assert_eq!(weeks, last.iso_week().week(), "{day}");
            day = day.succ_opt().unwrap();
        }
    }

    #[test]
    fn chooses_days() {
        let cases = [
            ("FREQ=MONTHLY;BYDAY=-1FR", "2026-01-30", true),
            ("FREQ=MONTHLY;BYDAY=-1FR", "2026-01-23", false),
            ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2026-02-13", true),
            ("FREQ=MONTHLY;BYMONTHDAY=-1", "2024-02-29", true),
            ("FREQ=MONTHLY;BYMONTHDAY=-1", "2024-02-28", false),
            ("FREQ=YEARLY;BYDAY=20MO", "1997-05-19", true),
            ("FREQ=YEARLY;BYDAY=-53TH", "2026-01-01", true),
            ("FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "2026-10-25", true),
            ("FREQ=YEARLY;BYDAY=MO,1TU", "2026-12-28", true),
            ("FREQ=YEARLY;BYYEARDAY=-1", "2024-12-31", true),
            ("FREQ=YEARLY;BYWEEKNO=20", "1997-05-17", true),
            ("FREQ=YEARLY;BYWEEKNO=20", "1997-05-12", false),
            ("FREQ=WEEKLY", "2026-11-21", true),
            ("FREQ=WEEKLY;BYDAY=1MO", "2026-11-16", true),
            ("FREQ=YEARLY", "2026-11-21", false),
        ];
        let saturday_in_january = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap();
        for (text, day, expected) in cases {
            let filter = DayFilter::from_rule(&Rule::parse(text).unwrap(), saturday_in_january);
            assert_eq!(
                filter.matches(day.parse().unwrap()),
                expected,
                "{text} {day}"
            );
        }
    }
}
