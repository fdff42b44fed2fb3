//! Calendar series expanded into occurrences.
//!
//! Turns a series as its source has it (a master with its recurrence lines, and the exceptions to it) into the list of times at
//! which it happens, each with a natural key. The rules are those of RFC 5545 and of time zones; the constants of `window` give the
//! window. Pure: the daily roll calls [`expand`] again with a later `now`. It knows no database, no clock, no provider and no agent.
//!
//! # Why it is written by hand
//!
//! calcard, which parses the files, can expand too, but not to what a calendar program shows. Its version 0.3.14 compares a UTC
//! `UNTIL` with local times, keeps only the last `RRULE` of an event, ignores `EXRULE`, does not let `EXDATE` take out what `RDATE`
//! added, gives a timed event without an end a length to midnight, counts instances against one limit for a whole file, and has no
//! window, so that an endless rule is expanded from its start. An expansion here is bounded for each rule and each series.
//! The tests compare it with python-dateutil (`tests/peers/occurrences.py`).
//!
//! Known limit: the zones of chrono-tz have no changes of clocks after 2099.
//!
//! # The files, in the order in which an expansion passes through them
//!
//! - `series`: the types of the input and the output.
//! - `stamp`: one point as iCalendar writes it: an instant, a local time or a date.
//! - `lines`: the content lines of a master (`RRULE`, `RDATE`, `EXDATE`, `EXRULE`, `DURATION`).
//! - `rule`: one `RRULE` value, parsed and checked.
//! - `frame`: the zone of a series; local times become instants here and nowhere else.
//! - `window`: the range of time over which an endless series is expanded.
//! - `periods`, `days`, `times`: the years, months, weeks or days a rule steps through; which of their days match; at which times
//!   of the day.
//! - `walk`: those three put together: the local times of one rule, in order, within a budget.
//! - `rule_starts`: the starts of one rule within its series: limited by its count, its `UNTIL` and the window.
//! - `gather`: rules and dates minus exclusions: the recurrence set.
//! - `overrides`: the exceptions applied to the set.

mod days;
mod error;
mod frame;
mod gather;
mod lines;
mod overrides;
mod periods;
mod rule;
mod rule_starts;
mod series;
mod stamp;
mod times;
mod walk;
mod window;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

pub use error::ExpansionError;
pub use gather::OCCURRENCES_MAX;
pub use series::{
    Covers, EventSeries, EventStatus, EventTiming, Exception, Expansion, Master, Occurrence,
    OccurrenceTime, UnknownEventStatus,
};

use frame::SeriesFrame;
use gather::RecurrenceSet;
use lines::Recurrence;
use overrides::Overrides;
use window::Window;

/// Expands a series into its occurrences, in order of their start.
///
/// A one-off or finite series is expanded whole, up to [`OCCURRENCES_MAX`]. An endless one is
/// expanded from its start, or from ten years before `now` if it started earlier, to two years
/// after `now`; if that still contains too many occurrences, the window is narrowed around `now`
/// until they fit, and [`Expansion::covers`] gives the narrowed window. Local times are computed in
/// the event's own zone, or in `operator_zone` for a floating event.
///
/// # Errors
/// An [`ExpansionError`] when a line or a recurrence id cannot be read. Nothing is guessed: a rule
/// with an unknown part is refused, since leaving the part out would show wrong days.
pub fn expand(
    series: &EventSeries,
    operator_zone: Tz,
    now: DateTime<Utc>,
) -> Result<Expansion, ExpansionError> {
    let Some(master) = &series.master else {
        return expand_exceptions(&series.exceptions, operator_zone);
    };
    let frame = SeriesFrame::from_timing(&master.timing, operator_zone)?;
    let recurrence = Recurrence::parse(&master.lines)?;
    let overrides = Overrides::read(&series.exceptions, &frame)?;
    let whole = recurrence.is_endless().then(|| Window::around(now));
    let (set, window) = gather_within_limit(&recurrence, &frame, whole);
    let occurrences = overrides.apply_to(&set.instances, &frame, master.status);
    let mut expansion = build_expansion(occurrences, window, set.given_up_at);
    expansion.cut |= set.is_cut() || window != whole;
    Ok(expansion)
}

/// The exceptions of a series whose master is not known: the owner was invited to these only.
fn expand_exceptions(
    exceptions: &[Exception],
    operator_zone: Tz,
) -> Result<Expansion, ExpansionError> {
    let occurrences: Result<_, _> = exceptions
        .iter()
        .map(|exception| overrides::occurrence_of_exception(exception, operator_zone))
        .collect();
    Ok(build_expansion(occurrences?, None, None))
}

/// Gathers the set, and narrows the window of an endless series until the set is within the limits.
fn gather_within_limit(
    recurrence: &Recurrence,
    frame: &SeriesFrame,
    mut window: Option<Window>,
) -> (RecurrenceSet, Option<Window>) {
    loop {
        let set = gather::gather(recurrence, frame, window.as_ref());
        match window.as_ref().and_then(Window::halve_longer_side) {
            Some(narrower) if set.is_cut() => window = Some(narrower),
            _ => return (set, window),
        }
    }
}

/// Sorts occurrences, drops those outside the window or above the limit, and states what they cover.
fn build_expansion(
    mut occurrences: Vec<Occurrence>,
    window: Option<Window>,
    given_up_at: Option<DateTime<Utc>>,
) -> Expansion {
    occurrences.retain(|it| window.is_none_or(|window| window.contains(it.when.starts())));
    occurrences
        .sort_by_cached_key(|it| (it.when.starts(), it.when.ends(), it.original_start.clone()));
    let first_left_out = occurrences.get(OCCURRENCES_MAX).map(|it| it.when.starts());
    occurrences.truncate(OCCURRENCES_MAX);
    let edges = [
        window.map(|window| window.to()),
        first_left_out,
        given_up_at,
    ];
    let covers = edges.into_iter().flatten().min().map(|to| Covers {
        from: window.map(|window| window.from()),
        to,
    });
    Expansion {
        occurrences,
        covers,
        cut: first_left_out.is_some(),
    }
}

#[cfg(test)]
mod tests;
