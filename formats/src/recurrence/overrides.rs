//! The exceptions of a series, laid over its recurrence set (RFC 5545 §3.8.4.4).
//!
//! What it is for: to each instance the times, the status and the source of the exception that
//! speaks of it. A cancelled instance stays, as cancelled. An exception that matches no instance
//! stays too: the source has it, and a rule edited later must not hide it.
//! What it must not know: rules.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::error::ExpansionError;
use super::frame::{self, LocalStart, SeriesFrame};
use super::gather::Instance;
use super::series::{EventStatus, EventTiming, Exception, Occurrence, OccurrenceTime};
use super::stamp::{self, IcalStamp};

/// How a recurrence id says that later instances follow it (RFC 5545 §3.2.13).
const THIS_AND_FUTURE: &str = ";RANGE=THISANDFUTURE";

/// An exception with the original start of the instance it replaces.
#[derive(Clone, Copy)]
struct Override<'e> {
    original: LocalStart,
    exception: &'e Exception,
}

/// The exceptions of one series, by the original start of the instance they replace.
pub(super) struct Overrides<'e> {
    each: BTreeMap<DateTime<Utc>, Override<'e>>,
    onwards: BTreeMap<DateTime<Utc>, Override<'e>>,
}

impl<'e> Overrides<'e> {
    /// Of two exceptions to the same instance the later in the list counts.
    pub(super) fn read(
        exceptions: &'e [Exception],
        frame: &SeriesFrame,
    ) -> Result<Self, ExpansionError> {
        let mut overrides = Self {
            each: BTreeMap::new(),
            onwards: BTreeMap::new(),
        };
        for exception in exceptions {
            let (stamp, is_onwards) = recurrence_id(exception)?;
            exception.timing.as_ref().map_or(Ok(()), frame::check)?;
            let original = frame.place(stamp);
            let found = Override {
                original,
                exception,
            };
            overrides.each.insert(original.at, found);
            if is_onwards {
                overrides.onwards.insert(original.at, found);
            }
        }
        Ok(overrides)
    }

    /// One occurrence for each instance, and one for each exception without an instance.
    pub(super) fn lay_over(
        &self,
        instances: &[Instance],
        frame: &SeriesFrame,
        status: EventStatus,
    ) -> Vec<Occurrence> {
        let starts: HashSet<_> = instances.iter().map(|instance| instance.place.at).collect();
        let apart = self.each.iter().filter(|(at, _)| !starts.contains(at));
        let apart = apart
            .map(|(_, found)| found.occurrence(frame, point_occurrence(found.original, frame)));
        let matched = instances
            .iter()
            .map(|instance| self.occurrence(instance, frame, status));
        matched.chain(apart).collect()
    }

    fn occurrence(
        &self,
        instance: &Instance,
        frame: &SeriesFrame,
        status: EventStatus,
    ) -> Occurrence {
        let at = instance.place.at;
        let own = frame.occurrence_time(instance.place, instance.end);
        if let Some(found) = self.each.get(&at) {
            return found.occurrence(frame, own);
        }
        let onwards = self.onwards.range(..at).next_back();
        let Some((_, found)) = onwards else {
            let original_start = frame.key(instance.place);
            return Occurrence {
                original_start,
                when: own,
                override_source_id: None,
                status,
            };
        };
        Occurrence {
            original_start: frame.key(instance.place),
            when: found.move_with(instance.place, frame).unwrap_or(own),
            ..found.occurrence(frame, own)
        }
    }
}

impl Override<'_> {
    /// The occurrence that takes the place of the instance; at the instance's own time when the
    /// source said no other.
    fn occurrence(&self, frame: &SeriesFrame, own: OccurrenceTime) -> Occurrence {
        Occurrence {
            original_start: frame.key(self.original),
            when: self
                .exception
                .timing
                .as_ref()
                .map_or(own, OccurrenceTime::from),
            override_source_id: Some(self.exception.source_id.clone()),
            status: self.exception.status,
        }
    }

    /// A later instance moved by the same local distance, and as long as the exception. Nothing
    /// when the exception turned a timed event into an all-day one or back: such a change says
    /// no distance.
    fn move_with(&self, place: LocalStart, frame: &SeriesFrame) -> Option<OccurrenceTime> {
        let timing = self.exception.timing.as_ref()?;
        if timing.is_all_day() != frame.is_all_day() {
            return None;
        }
        let when = OccurrenceTime::from(timing);
        let distance = frame.local(when.starts()) - self.original.local;
        let moved = frame.at(place.local + distance);
        Some(frame.occurrence_time(moved, moved.at + (when.ends() - when.starts())))
    }
}

/// The occurrence of an exception whose master is not known.
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
    let (text, is_onwards) = match text.strip_suffix(THIS_AND_FUTURE) {
        Some(text) => (text, true),
        None => (text, false),
    };
    let stamp = IcalStamp::parse_extended(text).ok_or(ExpansionError::InvalidRecurrenceId)?;
    Ok((stamp, is_onwards))
}

fn point_occurrence(place: LocalStart, frame: &SeriesFrame) -> OccurrenceTime {
    frame.occurrence_time(place, place.at)
}
