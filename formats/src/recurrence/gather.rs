//! The recurrence set: the first start, rules and added dates, minus what is excluded
//! (RFC 5545 §3.8.5).
//!
//! What it is for: turns the lines of a master into instances, each a start with its end.
//! What it must not know: exceptions.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::rule_starts::{Course, Exclusion};
use super::frame::{LocalStart, SeriesFrame};
use super::lines::{Added, EventLength, Recurrence};
use super::rule::Rule;
use super::stamp::IcalStamp;
use super::window::Window;

/// The most occurrences one series may have.
pub const OCCURRENCES_MAX: usize = 5_000;

/// One member of the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instance {
    pub(super) place: LocalStart,
    pub(super) end: DateTime<Utc>,
}

/// The set in order, as far as it was looked for.
#[derive(Debug)]
pub(super) struct RecurrenceSet {
    /// One more than [`OCCURRENCES_MAX`] when there are too many, so that it shows where to cut.
    pub(super) instances: Vec<Instance>,
    /// The instant at which a rule ran out of its budget.
    pub(super) given_up_at: Option<DateTime<Utc>>,
}

impl RecurrenceSet {
    pub(super) fn is_cut(&self) -> bool {
        self.given_up_at.is_some() || self.instances.len() > OCCURRENCES_MAX
    }
}

/// Gathers the set: whole, or inside the window.
pub(super) fn gather(
    recurrence: &Recurrence,
    frame: &SeriesFrame,
    window: Option<&Window>,
) -> RecurrenceSet {
    let usual = recurrence
        .length
        .unwrap_or(EventLength::Exact(frame.length()));
    let mut set = Set {
        frame,
        window,
        excluded: Excluded::of(&recurrence.excluded, frame),
        found: BTreeMap::new(),
    };
    let given_up_at = recurrence
        .rules
        .iter()
        .filter_map(|rule| set.add_rule(rule, &recurrence.excluded_rules, usual))
        .min();
    set.add_dates(recurrence, usual);
    RecurrenceSet {
        instances: set.into_instances(),
        given_up_at,
    }
}

/// The set while it is built. Two members with one instant are one member.
struct Set<'f> {
    frame: &'f SeriesFrame,
    window: Option<&'f Window>,
    excluded: Excluded,
    found: BTreeMap<DateTime<Utc>, (LocalStart, EventLength)>,
}

impl<'f> Set<'f> {
    fn add(&mut self, place: LocalStart, length: EventLength) {
        let is_in_window = self.window.is_none_or(|window| window.holds(place.at));
        if is_in_window && !self.excluded.holds(place) {
            self.found.insert(place.at, (place, length));
        }
    }

    /// Adds the first start and the dates added to it.
    fn add_dates(&mut self, recurrence: &Recurrence, usual: EventLength) {
        let place = |added: &Added| (self.frame.place(added.start), added.length.unwrap_or(usual));
        let mut dates: Vec<_> = recurrence.added.iter().map(place).collect();
        dates.push((self.frame.start(), usual));
        dates.sort_by_key(|(place, _)| place.local);
        let mut exclusions = self.exclusions(&recurrence.excluded_rules);
        for (place, length) in dates {
            if !exclusions
                .iter_mut()
                .any(|exclusion| exclusion.holds(place))
            {
                self.add(place, length);
            }
        }
    }

    /// Adds the matches of a rule; returns where its budget ran out, if it did.
    fn add_rule(
        &mut self,
        rule: &Rule,
        excluded_rules: &[Rule],
        length: EventLength,
    ) -> Option<DateTime<Utc>> {
        let mut exclusions = self.exclusions(excluded_rules);
        let mut course = Course::after_start(rule, self.frame, self.window);
        let mut last = self.frame.start();
        let enough = self.found.len() + OCCURRENCES_MAX + 1;
        for place in course.by_ref() {
            last = place;
            if exclusions.iter().any(Exclusion::is_spent) {
                return Some(place.at);
            }
            if !exclusions
                .iter_mut()
                .any(|exclusion| exclusion.holds(place))
            {
                self.add(place, length);
            }
            if self.found.len() >= enough {
                return None;
            }
        }
        course.is_spent().then_some(last.at)
    }

    /// The excluded rules, each from its beginning.
    fn exclusions<'r>(&self, rules: &'r [Rule]) -> Vec<Exclusion<'r>>
    where
        'f: 'r,
    {
        rules
            .iter()
            .map(|rule| Exclusion::of(rule, self.frame, self.window))
            .collect()
    }

    fn into_instances(self) -> Vec<Instance> {
        let frame = self.frame;
        self.found
            .into_values()
            .take(OCCURRENCES_MAX + 1)
            .map(|(place, length)| Instance {
                place,
                end: end(place, length, frame),
            })
            .collect()
    }
}

/// What `EXDATE` excludes. A bare date excludes its whole day, also from a timed series, as many
/// sources write it.
struct Excluded {
    instants: HashSet<DateTime<Utc>>,
    days: HashSet<NaiveDate>,
}

impl Excluded {
    fn of(stamps: &[IcalStamp], frame: &SeriesFrame) -> Self {
        let day = |stamp: &IcalStamp| match stamp {
            IcalStamp::Date(date) => Some(*date),
            _ => None,
        };
        Self {
            instants: stamps.iter().map(|stamp| frame.place(*stamp).at).collect(),
            days: stamps.iter().filter_map(day).collect(),
        }
    }

    fn holds(&self, place: LocalStart) -> bool {
        self.instants.contains(&place.at) || self.days.contains(&place.local.date())
    }
}

fn end(place: LocalStart, length: EventLength, frame: &SeriesFrame) -> DateTime<Utc> {
    match length {
        EventLength::Exact(exact) => place.at + exact,
        EventLength::Nominal { days, rest } => {
            frame.at(place.local + TimeDelta::days(days)).at + rest
        }
        EventLength::To(stamp) => frame.place(stamp).at.max(place.at),
    }
}
