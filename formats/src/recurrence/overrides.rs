//! The exceptions of a series, applied to its recurrence set (RFC 5545 §3.8.4.4).
//!
//! What it is for: gives each instance the times, the status and the source of the exception that
//! replaces it. A cancelled instance is kept, as cancelled. An exception that matches no instance
//! is kept too: the source has it, and a rule that was edited later must not hide it.
//! What it must not know: rules.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::error::ExpansionError;
use super::frame::{self, LocalStart, SeriesFrame};
use super::gather::Instance;
use super::series::{EventStatus, EventTiming, Exception, Occurrence, OccurrenceTime};
use super::stamp::{self, IcalStamp};

/// The suffix of a recurrence id whose exception also changes all later instances
/// (RFC 5545 §3.2.13).
const THIS_AND_FUTURE: &str = ";RANGE=THISANDFUTURE";

/// An exception with the original start of the instance it replaces.
#[derive(Clone, Copy)]
struct Override<'e> {
    original: LocalStart,
    exception: &'e Exception,
}

/// The exceptions of one series, by the original start of the instance they replace.
pub(super) struct Overrides<'e> {
    all: BTreeMap<DateTime<Utc>, Override<'e>>,
    /// Those among them that also change all later instances.
    this_and_future: BTreeMap<DateTime<Utc>, Override<'e>>,
}

impl<'e> Overrides<'e> {
    /// Of two exceptions to the same instance the later one in the list is used.
    ///
    /// # Errors
    /// An [`ExpansionError`] when a recurrence id or a time of an exception cannot be read.
    pub(super) fn read(
        exceptions: &'e [Exception],
        frame: &SeriesFrame,
    ) -> Result<Self, ExpansionError> {
        let mut overrides = Self {
            all: BTreeMap::new(),
            this_and_future: BTreeMap::new(),
        };
        for exception in exceptions {
            let (stamp, is_this_and_future) = recurrence_id(exception)?;
            exception.timing.as_ref().map_or(Ok(()), frame::check)?;
            let original = frame.resolve(stamp);
            let entry = Override {
                original,
                exception,
            };
            overrides.all.insert(original.at, entry);
            if is_this_and_future {
                overrides.this_and_future.insert(original.at, entry);
            }
        }
        Ok(overrides)
    }

    /// One occurrence for each instance, and one for each exception without an instance.
    pub(super) fn apply_to(
        &self,
        instances: &[Instance],
        frame: &SeriesFrame,
        status: EventStatus,
    ) -> Vec<Occurrence> {
        let starts: HashSet<_> = instances.iter().map(|instance| instance.start.at).collect();
        let unmatched = self.all.iter().filter(|(at, _)| !starts.contains(at));
        let unmatched = unmatched
            .map(|(_, entry)| entry.occurrence(frame, time_without_length(entry.original, frame)));
        let matched = instances
            .iter()
            .map(|instance| self.occurrence(instance, frame, status));
        matched.chain(unmatched).collect()
    }

    fn occurrence(
        &self,
        instance: &Instance,
        frame: &SeriesFrame,
        status: EventStatus,
    ) -> Occurrence {
        let at = instance.start.at;
        let own_time = frame.occurrence_time(instance.start, instance.end);
        if let Some(entry) = self.all.get(&at) {
            return entry.occurrence(frame, own_time);
        }
        let last_before = self.this_and_future.range(..at).next_back();
        let Some((_, entry)) = last_before else {
            let original_start = frame.key(instance.start);
            return Occurrence {
                original_start,
                when: own_time,
                override_source_id: None,
                status,
            };
        };
        Occurrence {
            original_start: frame.key(instance.start),
            when: entry
                .move_later_instance(instance.start, frame)
                .unwrap_or(own_time),
            ..entry.occurrence(frame, own_time)
        }
    }
}

impl Override<'_> {
    /// The occurrence that replaces the instance; at the instance's own time when the source gave
    /// no other.
    fn occurrence(&self, frame: &SeriesFrame, own_time: OccurrenceTime) -> Occurrence {
        Occurrence {
            original_start: frame.key(self.original),
            when: self
                .exception
                .timing
                .as_ref()
                .map_or(own_time, OccurrenceTime::from),
            override_source_id: Some(self.exception.source_id.clone()),
            status: self.exception.status,
        }
    }

    /// The time of a later instance: moved by the same local distance, and as long as the
    /// exception. `None` when the exception turned a timed event into an all-day one or back,
    /// because such a change has no distance.
    fn move_later_instance(
        &self,
        start: LocalStart,
        frame: &SeriesFrame,
    ) -> Option<OccurrenceTime> {
        let timing = self.exception.timing.as_ref()?;
        if timing.is_all_day() != frame.is_all_day() {
            return None;
        }
        let when = OccurrenceTime::from(timing);
        let distance = frame.local(when.starts()) - self.original.local;
        let moved = frame.at(start.local + distance);
        Some(frame.occurrence_time(moved, moved.at + (when.ends() - when.starts())))
    }
}

/// The occurrence of an exception whose master is not known.
///
/// # Errors
/// An [`ExpansionError`] when its recurrence id or its time cannot be read.
pub(super) fn occurrence_of_exception(
    exception: &Exception,
    operator_zone: Tz,
) -> Result<Occurrence, ExpansionError> {
    let (stamp, _) = recurrence_id(exception)?;
    exception.timing.as_ref().map_or(Ok(()), frame::check)?;
    let (original_start, at) = match stamp {
        IcalStamp::Instant(at) => (stamp::instant_key(at), Ok(at)),
        IcalStamp::Local(local, _) => (
            stamp::local_key(local),
            Ok(frame::instant(operator_zone, local)),
        ),
        IcalStamp::Date(date) => (stamp::date_key(date), Err(date)),
    };
    let unmoved = match at {
        Ok(start) => EventTiming::Timed {
            start,
            end: None,
            zone: None,
        },
        Err(start) => EventTiming::AllDay { start, end: None },
    };
    Ok(Occurrence {
        original_start,
        when: OccurrenceTime::from(exception.timing.as_ref().unwrap_or(&unmoved)),
        override_source_id: Some(exception.source_id.clone()),
        status: exception.status,
    })
}

fn recurrence_id(exception: &Exception) -> Result<(IcalStamp, bool), ExpansionError> {
    let text = exception.recurrence_id.as_str();
    let (text, is_this_and_future) = match text.strip_suffix(THIS_AND_FUTURE) {
        Some(text) => (text, true),
        None => (text, false),
    };
    let stamp = IcalStamp::parse_extended(text).ok_or(ExpansionError::InvalidRecurrenceId)?;
    Ok((stamp, is_this_and_future))
}

fn time_without_length(start: LocalStart, frame: &SeriesFrame) -> OccurrenceTime {
    frame.occurrence_time(start, start.at)
}
