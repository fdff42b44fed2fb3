//! The starts of one rule within a series, limited by its count, its `UNTIL` and the window.
//!
//! What it is for: turns the local times of a walk into starts, and ends the walk.
//! What it must not know: other rules, dates, exceptions.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};

use super::frame::{LocalStart, SeriesFrame};
use super::rule::Rule;
use super::walk::RuleWalk;
use super::window::Window;

/// The most by which the order of local times and that of instants differ: a change of clocks
/// moves no time by more than a day.
const ORDER_DIFFERENCE_MAX: TimeDelta = TimeDelta::days(2);

/// An iterator over the starts of one rule, in the order of their local times.
pub(super) struct RuleStarts<'r> {
    walk: RuleWalk<'r>,
    frame: &'r SeriesFrame,
    from: DateTime<Utc>,
    last: DateTime<Utc>,
    remaining_count: Option<usize>,
    skips_start: bool,
}

impl<'r> RuleStarts<'r> {
    /// What an `RRULE` adds to the first start. The first start is always in the set and counts as
    /// the first of `COUNT`, whether it matches the rule or not (RFC 5545 §3.3.10).
    pub(super) fn after_start(
        rule: &'r Rule,
        frame: &'r SeriesFrame,
        window: Option<&Window>,
    ) -> Self {
        let remaining_count = rule.count.map(|count| count - 1);
        Self {
            remaining_count,
            skips_start: true,
            ..Self::all_matches(rule, frame, window)
        }
    }

    /// Everything that a rule matches: what an `EXRULE` excludes.
    fn all_matches(rule: &'r Rule, frame: &'r SeriesFrame, window: Option<&Window>) -> Self {
        let from = window.map_or(DateTime::<Utc>::MIN_UTC, Window::from);
        let until = rule
            .until
            .map_or(DateTime::<Utc>::MAX_UTC, |until| frame.until(until));
        let window_last = window.map_or(DateTime::<Utc>::MAX_UTC, |window| {
            window.to() - TimeDelta::seconds(1)
        });
        let last = until.min(window_last);
        let stop = last
            .naive_utc()
            .checked_add_signed(ORDER_DIFFERENCE_MAX)
            .map_or(NaiveDate::MAX, |it| it.date());
        let jump = window.map(|window| frame.local(window.from()) - ORDER_DIFFERENCE_MAX);
        Self {
            walk: RuleWalk::new(rule, frame.start().local, jump, stop),
            frame,
            from,
            last,
            remaining_count: rule.count,
            skips_start: false,
        }
    }

    /// Whether the walk stopped because its budget was spent, so that more starts may follow.
    pub(super) fn is_spent(&self) -> bool {
        self.walk.is_spent()
    }

    /// Whether every later local time is after the last instant allowed.
    fn is_past(&self, local: NaiveDateTime) -> bool {
        local
            .checked_sub_signed(ORDER_DIFFERENCE_MAX)
            .is_some_and(|earlier| earlier.and_utc() > self.last)
    }
}

impl Iterator for RuleStarts<'_> {
    type Item = LocalStart;

    fn next(&mut self) -> Option<LocalStart> {
        while self.remaining_count != Some(0) {
            let local = self.walk.next()?;
            if self.is_past(local) {
                self.remaining_count = Some(0);
                return None;
            }
            let start = self.frame.at(local);
            if start.at > self.last || self.skips_start && start == self.frame.start() {
                continue;
            }
            self.remaining_count = self.remaining_count.map(|count| count - 1);
            if start.at >= self.from {
                return Some(start);
            }
        }
        None
    }
}

/// What an `EXRULE` excludes. Starts must be asked about in the order of their local times.
pub(super) struct Exclusion<'r> {
    rule_starts: RuleStarts<'r>,
    upcoming: Option<LocalStart>,
}

impl<'r> Exclusion<'r> {
    pub(super) fn new(rule: &'r Rule, frame: &'r SeriesFrame, window: Option<&Window>) -> Self {
        let mut rule_starts = RuleStarts::all_matches(rule, frame, window);
        let upcoming = rule_starts.next();
        Self {
            rule_starts,
            upcoming,
        }
    }

    pub(super) fn excludes(&mut self, start: LocalStart) -> bool {
        while self
            .upcoming
            .is_some_and(|upcoming| upcoming.local < start.local)
        {
            self.upcoming = self.rule_starts.next();
        }
        self.upcoming
            .is_some_and(|upcoming| upcoming.local == start.local)
    }

    pub(super) fn is_spent(&self) -> bool {
        self.rule_starts.is_spent()
    }
}
