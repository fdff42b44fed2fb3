//! The recurrence set: the first start, rules and added dates, minus what is excluded
//! (RFC 5545 §3.8.5).
//!
//! What it is for: turns the lines of a master into instances, each a start with its end.
//! What it must not know: exceptions.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::frame::{LocalStart, SeriesFrame};
use super::lines::{AddedDate, EventLength, Recurrence};
use super::rule::Rule;
use super::rule_starts::{Exclusion, RuleStarts};
use super::stamp::IcalStamp;
use super::window::Window;

/// The most occurrences one series may have.
pub const OCCURRENCES_MAX: usize = 5_000;

/// One member of the set: its start and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    pub(super) start: LocalStart,
    pub(super) end: DateTime<Utc>,
}

/// The set in order, as far as it was gathered.
#[derive(Debug)]
pub(super) struct RecurrenceSet {
    /// One more than [`OCCURRENCES_MAX`] when there are too many, to show where the cut is.
    pub(super) instances: Vec<Instance>,
    /// The last instant known when a rule spent its budget.
    pub(super) given_up_at: Option<DateTime<Utc>>,
}

impl RecurrenceSet {
    pub(super) fn is_cut(&self) -> bool {
        self.given_up_at.is_some() || self.instances.len() > OCCURRENCES_MAX
    }
}

/// Gathers the set, whole or inside the window.
pub(super) fn gather(
    recurrence: &Recurrence,
    frame: &SeriesFrame,
    window: Option<&Window>,
) -> RecurrenceSet {
    let default_length = recurrence
        .length
        .unwrap_or(EventLength::Exact(frame.length()));
    let mut set = SetBuilder {
        frame,
        window,
        excluded: ExcludedDates::from_stamps(&recurrence.excluded, frame),
        members: BTreeMap::new(),
    };
    let given_up_at = recurrence
        .rules
        .iter()
        .filter_map(|rule| set.add_rule(rule, &recurrence.excluded_rules, default_length))
        .min();
    set.add_dates(recurrence, default_length);
    RecurrenceSet {
        instances: set.into_instances(),
        given_up_at,
    }
}

/// The set while it is built. Two members at the same instant are one member.
struct SetBuilder<'f> {
    frame: &'f SeriesFrame,
    window: Option<&'f Window>,
    excluded: ExcludedDates,
    members: BTreeMap<DateTime<Utc>, (LocalStart, EventLength)>,
}

impl<'f> SetBuilder<'f> {
    fn add(&mut self, start: LocalStart, length: EventLength) {
        let is_in_window = self.window.is_none_or(|window| window.contains(start.at));
        if is_in_window && !self.excluded.contains(start) {
            self.members.insert(start.at, (start, length));
        }
    }

    /// Adds the first start and the dates added to it.
    fn add_dates(&mut self, recurrence: &Recurrence, default_length: EventLength) {
        let start_and_length = |added: &AddedDate| {
            (
                self.frame.resolve(added.start),
                added.length.unwrap_or(default_length),
            )
        };
        let mut dates: Vec<_> = recurrence.added.iter().map(start_and_length).collect();
        dates.push((self.frame.start(), default_length));
        dates.sort_by_key(|(start, _)| start.local);
        let mut exclusions = self.exclusions(&recurrence.excluded_rules);
        for (start, length) in dates {
            if !exclusions
                .iter_mut()
                .any(|exclusion| exclusion.excludes(start))
            {
                self.add(start, length);
            }
        }
    }

    /// Adds the matches of a rule; returns the last instant reached if its budget was spent.
    fn add_rule(
        &mut self,
        rule: &Rule,
        excluded_rules: &[Rule],
        length: EventLength,
    ) -> Option<DateTime<Utc>> {
        let mut exclusions = self.exclusions(excluded_rules);
        let mut rule_starts = RuleStarts::after_start(rule, self.frame, self.window);
        let mut last = self.frame.start();
        let members_max = self.members.len() + OCCURRENCES_MAX + 1;
        for start in rule_starts.by_ref() {
            last = start;
            if exclusions.iter().any(Exclusion::is_spent) {
                return Some(start.at);
            }
            if !exclusions
                .iter_mut()
                .any(|exclusion| exclusion.excludes(start))
            {
                self.add(start, length);
            }
            if self.members.len() >= members_max {
                return None;
            }
        }
        rule_starts.is_spent().then_some(last.at)
    }

    /// The excluded rules, each from its first match.
    fn exclusions<'r>(&self, rules: &'r [Rule]) -> Vec<Exclusion<'r>>
    where
        'f: 'r,
    {
        rules
            .iter()
            .map(|rule| Exclusion::new(rule, self.frame, self.window))
            .collect()
    }

    fn into_instances(self) -> Vec<Instance> {
        let frame = self.frame;
        self.members
            .into_values()
            .take(OCCURRENCES_MAX + 1)
            .map(|(start, length)| Instance {
                start,
                end: end(start, length, frame),
            })
            .collect()
    }
}

/// What `EXDATE` excludes. A bare date excludes its whole day also from a timed series, because
/// many sources write it so.
struct ExcludedDates {
    instants: HashSet<DateTime<Utc>>,
    days: HashSet<NaiveDate>,
}

impl ExcludedDates {
    fn from_stamps(stamps: &[IcalStamp], frame: &SeriesFrame) -> Self {
        let day = |stamp: &IcalStamp| match stamp {
            IcalStamp::Date(date) => Some(*date),
            _ => None,
        };
        Self {
            instants: stamps
                .iter()
                .map(|stamp| frame.resolve(*stamp).at)
                .collect(),
            days: stamps.iter().filter_map(day).collect(),
        }
    }

    fn contains(&self, start: LocalStart) -> bool {
        self.instants.contains(&start.at) || self.days.contains(&start.local.date())
    }
}

fn end(start: LocalStart, length: EventLength, frame: &SeriesFrame) -> DateTime<Utc> {
    match length {
        EventLength::Exact(exact) => start.at + exact,
        EventLength::Nominal { days, rest } => {
            frame.at(start.local + TimeDelta::days(days)).at + rest
        }
        EventLength::Until(stamp) => frame.resolve(stamp).at.max(start.at),
    }
}
