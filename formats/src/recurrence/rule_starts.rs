//! One rule within a series: its walk, kept inside its count, its `UNTIL` and the window.
//!
//! What it is for: turns the local times of a walk into places, and ends it.
//! What it must not know: other rules, dates, exceptions.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};

use super::frame::{LocalStart, SeriesFrame};
use super::rule::Rule;
use super::walk::RuleWalk;
use super::window::Window;

/// How far the order of local times and that of instants may differ: a change of clocks moves
/// no time by more than a day.
const DISORDER: TimeDelta = TimeDelta::days(2);

/// The places of one rule, in the order of their local times.
pub(super) struct Course<'r> {
    walk: RuleWalk<'r>,
    frame: &'r SeriesFrame,
    from: DateTime<Utc>,
    last: DateTime<Utc>,
    left: Option<usize>,
    skips_start: bool,
}

impl<'r> Course<'r> {
    /// What an `RRULE` adds to the first start, which is there in any case and takes the first of
    /// the count whether it matches or not (RFC 5545 §3.3.10, `COUNT`).
    pub(super) fn after_start(
        rule: &'r Rule,
        frame: &'r SeriesFrame,
        window: Option<&Window>,
    ) -> Self {
        let left = rule.count.map(|count| count - 1);
        Self {
            left,
            skips_start: true,
            ..Self::of(rule, frame, window)
        }
    }

    /// All that a rule matches, as an `EXRULE` excludes it.
    pub(super) fn of(rule: &'r Rule, frame: &'r SeriesFrame, window: Option<&Window>) -> Self {
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
            .checked_add_signed(DISORDER)
            .map_or(NaiveDate::MAX, |it| it.date());
        let jump = window.map(|window| frame.local(window.from()) - DISORDER);
        Self {
            walk: RuleWalk::new(rule, frame.start().local, jump, stop),
            frame,
            from,
            last,
            left: rule.count,
            skips_start: false,
        }
    }

    /// Whether it ended for lack of budget, so that more may follow.
    pub(super) fn is_spent(&self) -> bool {
        self.walk.is_spent()
    }

    /// Whether nothing after this local time can be early enough.
    fn is_past(&self, local: NaiveDateTime) -> bool {
        local
            .checked_sub_signed(DISORDER)
            .is_some_and(|earlier| earlier.and_utc() > self.last)
    }
}

impl Iterator for Course<'_> {
    type Item = LocalStart;

    fn next(&mut self) -> Option<LocalStart> {
        while self.left != Some(0) {
            let local = self.walk.next()?;
            if self.is_past(local) {
                self.left = Some(0);
                return None;
            }
            let place = self.frame.at(local);
            if place.at > self.last || self.skips_start && place == self.frame.start() {
                continue;
            }
            self.left = self.left.map(|left| left - 1);
            if place.at >= self.from {
                return Some(place);
            }
        }
        None
    }
}

/// What an `EXRULE` excludes, asked in the order of local times.
pub(super) struct Exclusion<'r> {
    course: Course<'r>,
    ahead: Option<LocalStart>,
}

impl<'r> Exclusion<'r> {
    pub(super) fn of(rule: &'r Rule, frame: &'r SeriesFrame, window: Option<&Window>) -> Self {
        let mut course = Course::of(rule, frame, window);
        let ahead = course.next();
        Self { course, ahead }
    }

    pub(super) fn holds(&mut self, place: LocalStart) -> bool {
        while self.ahead.is_some_and(|ahead| ahead.local < place.local) {
            self.ahead = self.course.next();
        }
        self.ahead.is_some_and(|ahead| ahead.local == place.local)
    }

    pub(super) fn is_spent(&self) -> bool {
        self.course.is_spent()
    }
}
