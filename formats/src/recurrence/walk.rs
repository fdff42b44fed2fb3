//! The local times of one rule, in order.
//!
//! What it is for: steps through the periods of a rule, selects days, times and positions, and
//! stops when its budget is spent, so that no rule uses the processor without limit.
//! What it must not know: zones, ends, exclusions.

use std::collections::VecDeque;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::days::DayFilter;
use super::periods::{Period, Periods};
use super::rule::{Frequency, Rule};
use super::times::DayTimes;

/// The most days and slots that one walk examines: every day of 2,700 years.
const STEPS_MAX: usize = 1_000_000;

/// The most moments kept for one period. No real rule has more in a year.
const MOMENTS_MAX: usize = 100_000;

/// An iterator over the local times of a rule, strictly ascending, none before the start.
#[derive(Debug)]
pub(super) struct RuleWalk<'r> {
    rule: &'r Rule,
    start: NaiveDateTime,
    periods: Periods,
    days: DayFilter,
    times: DayTimes,
    period_number: u32,
    last_day: NaiveDate,
    pending: VecDeque<NaiveDateTime>,
    steps: usize,
}

impl<'r> RuleWalk<'r> {
    /// Begins with the period that contains `from`, or the start if that is later, and ends with the
    /// one that contains `last_day`. A rule with a count always begins at its start, because
    /// instances before `from` count too.
    pub(super) fn new(
        rule: &'r Rule,
        start: NaiveDateTime,
        from: Option<NaiveDateTime>,
        last_day: NaiveDate,
    ) -> Self {
        let periods = Periods::from_rule(rule, start.date());
        let from = from.filter(|_| rule.count.is_none());
        Self {
            rule,
            start,
            periods,
            days: DayFilter::from_rule(rule, start.date()),
            times: DayTimes::from_rule(rule, start),
            period_number: from.map_or(0, |from| periods.number_at(from.date())),
            last_day,
            pending: VecDeque::new(),
            steps: 0,
        }
    }

    /// Whether the walk stopped because its budget was spent, so that more may follow.
    pub(super) fn is_spent(&self) -> bool {
        self.steps >= STEPS_MAX
    }

    fn add_period(&mut self, period: Period) {
        let mut set = Vec::new();
        for day in period.days() {
            self.steps += 1;
            if self.days.matches(day) {
                self.steps += self.times.slots_a_day();
                self.add_day(day, &mut set);
            }
            if set.len() > MOMENTS_MAX {
                self.steps = STEPS_MAX;
                break;
            }
        }
        self.steps += set.len();
        if self.rule.frequency <= Frequency::Daily {
            set = select_positions(set, &self.rule.positions);
        }
        let start = self.start;
        self.pending
            .extend(set.into_iter().filter(|moment| *moment >= start));
    }

    /// Positions are counted within one period: within a slot if the rule repeats during the day.
    fn add_day(&self, day: NaiveDate, set: &mut Vec<NaiveDateTime>) {
        for slot in self.times.slots_from(day.and_time(NaiveTime::MIN)) {
            let moments = self.times.moments_in(slot);
            let is_own_set = self.rule.frequency > Frequency::Daily;
            if is_own_set && !self.rule.positions.is_empty() {
                set.extend(select_positions(moments.collect(), &self.rule.positions));
            } else {
                set.extend(moments);
            }
        }
    }
}

impl Iterator for RuleWalk<'_> {
    type Item = NaiveDateTime;

    fn next(&mut self) -> Option<NaiveDateTime> {
        while self.pending.is_empty() {
            if self.is_spent() {
                return None;
            }
            let period = self
                .periods
                .get(self.period_number)
                .filter(|it| it.first <= self.last_day)?;
            self.period_number = self.period_number.checked_add(1)?;
            self.add_period(period);
        }
        self.pending.pop_front()
    }
}

/// `BYSETPOS`: the nth of a set, from its end if negative.
fn select_positions(set: Vec<NaiveDateTime>, positions: &[i32]) -> Vec<NaiveDateTime> {
    if positions.is_empty() {
        return set;
    }
    let length = set.len();
    let index = |position: &i32| {
        let distance = usize::try_from(position.unsigned_abs()).ok()?;
        if *position > 0 {
            distance.checked_sub(1)
        } else {
            length.checked_sub(distance)
        }
    };
    let mut chosen: Vec<_> = positions
        .iter()
        .filter_map(index)
        .filter_map(|index| set.get(index).copied())
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_days(text: &str, start: &str, count: usize) -> Vec<String> {
        let rule = Rule::parse(text).unwrap();
        let start = start.parse().unwrap();
        RuleWalk::new(&rule, start, None, NaiveDate::MAX)
            .take(count)
            .map(|at| at.to_string())
            .collect()
    }

    #[test]
    fn picks_positions() {
        let cases = [
            (
                "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
                ["2026-01-30 09:00:00", "2026-02-27 09:00:00"],
            ),
            (
                "FREQ=WEEKLY;BYDAY=TU,TH;BYSETPOS=1",
                ["2026-01-06 09:00:00", "2026-01-13 09:00:00"],
            ),
            (
                "FREQ=HOURLY;BYMINUTE=0,20,40;BYSETPOS=-1,-1",
                ["2026-01-01 09:40:00", "2026-01-01 10:40:00"],
            ),
            (
                "FREQ=DAILY;BYHOUR=8,9,10;BYSETPOS=2,9",
                ["2026-01-01 09:00:00", "2026-01-02 09:00:00"],
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(
                first_days(text, "2026-01-01T09:00:00", 2),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn a_rule_that_never_matches_ends() {
        let cases = [
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", true),
            ("FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31", true),
            ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", true),
            ("FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1", true),
            ("FREQ=SECONDLY;INTERVAL=2;BYSECOND=1,3,5", true),
            (
                "FREQ=YEARLY;INTERVAL=4294967295;BYMONTH=2;BYMONTHDAY=30",
                false,
            ),
        ];
        for (text, is_spent) in cases {
            let rule = Rule::parse(text).unwrap();
            let mut walk = RuleWalk::new(
                &rule,
                "2026-01-01T00:00:00".parse().unwrap(),
                None,
                NaiveDate::MAX,
            );
            assert_eq!(walk.next(), None, "{text}");
            assert_eq!(walk.is_spent(), is_spent, "{text}");
        }
    }

    #[test]
    fn a_jump_lands_where_a_walk_from_the_start_would_pass() {
        let rules = [
            "FREQ=YEARLY;INTERVAL=3;BYDAY=-1SU",
            "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=29,-1",
            "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,SU;WKST=TH",
            "FREQ=DAILY;INTERVAL=11",
            "FREQ=HOURLY;INTERVAL=25",
        ];
        let (start, from) = (
            "2001-02-03T04:05:06",
            "2019-07-15T12:00:00".parse().unwrap(),
        );
        for text in rules {
            let rule = Rule::parse(text).unwrap();
            let start = start.parse().unwrap();
            let after =
                |walk: RuleWalk<'_>| walk.skip_while(|at| *at < from).take(9).collect::<Vec<_>>();
            let jumped = after(RuleWalk::new(&rule, start, Some(from), NaiveDate::MAX));
            assert_eq!(
                jumped,
                after(RuleWalk::new(&rule, start, None, NaiveDate::MAX)),
                "{text}"
            );
        }
    }
}
