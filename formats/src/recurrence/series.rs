//! The input and the output of an expansion.
//!
//! What it is for: types for a series exactly as the store keeps it, in which an all-day start
//! cannot have a timed end.
//! What it must not know: how any of it is computed.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;

/// A series: its master, if it is known, and the exceptions to it.
#[derive(Clone, Default)]
pub struct EventSeries {
    /// Absent when the owner was invited to single instances only.
    pub master: Option<Master>,
    /// In any order, at most one for each instance.
    pub exceptions: Vec<Exception>,
}

/// The event that repeats.
#[derive(Clone)]
pub struct Master {
    /// Its id in the source.
    pub source_id: String,
    /// When the first instance happens.
    pub timing: EventTiming,
    /// Unfolded iCalendar content lines: `RRULE`, `RDATE`, `EXDATE`, `EXRULE`; and `DURATION`
    /// when the source gave the length that way, which makes its days calendar days instead of 24
    /// exact hours (RFC 5545 §3.8.5.3).
    pub lines: Vec<String>,
    /// The status of every instance that no exception changes.
    pub status: EventStatus,
}

/// One instance that differs from what the master says.
#[derive(Clone)]
pub struct Exception {
    /// Its id in the source.
    pub source_id: String,
    /// The original start: an RFC 3339 instant, a local time without offset when floating, or a
    /// date when all-day; with the suffix `;RANGE=THISANDFUTURE` when all later ones follow it.
    pub recurrence_id: String,
    /// Absent when the source says nothing about a cancelled instance but that it is cancelled.
    pub timing: Option<EventTiming>,
    /// The status of this instance.
    pub status: EventStatus,
}

/// When an event happens, as its source wrote it. The end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventTiming {
    /// `zone` is absent when the event is floating: it happens at that local time in any zone.
    Timed {
        /// The first instant.
        start: DateTime<Utc>,
        /// The first instant after it.
        end: Option<DateTime<Utc>>,
        /// The zone in whose local time it repeats.
        zone: Option<Tz>,
    },
    /// Whole days, without a zone.
    AllDay {
        /// The first day.
        start: NaiveDate,
        /// The first day after it.
        end: Option<NaiveDate>,
    },
}

/// The status of an event (RFC 5545 §3.8.1.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventStatus {
    /// It happens.
    #[default]
    Confirmed,
    /// It may happen.
    Tentative,
    /// It does not happen; it is kept to show that it was cancelled.
    Cancelled,
}

/// The stored text is none of the three statuses.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownEventStatus;

/// The occurrences of a series, and the range in which they are complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// In order of their start.
    pub occurrences: Vec<Occurrence>,
    /// The range within which no occurrence is missing; absent when none is missing anywhere. An
    /// endless series always has it, a finite one only when it is cut.
    pub covers: Option<Covers>,
    /// Some occurrences were left out because there were too many, or because a rule spent its
    /// budget before it reached them.
    pub cut: bool,
}

/// A range of time, its end exclusive. Without `from` it has no beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covers {
    /// The first instant of it.
    pub from: Option<DateTime<Utc>>,
    /// The first instant after it.
    pub to: DateTime<Utc>,
}

/// One time at which the event happens, or would have happened if it were not cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The natural key within the series: the start that the master gives, also after a move.
    /// Written like a recurrence id, so that it is the same in every expansion.
    pub original_start: String,
    /// When it happens, after any move.
    pub when: OccurrenceTime,
    /// The exception that gives this occurrence its details, if one does.
    pub override_source_id: Option<String>,
    /// Whether it happens.
    pub status: EventStatus,
}

/// The time of an occurrence. The end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OccurrenceTime {
    /// Instants.
    Timed {
        /// The first instant.
        start: DateTime<Utc>,
        /// The first instant after it.
        end: DateTime<Utc>,
    },
    /// Whole days, without a zone.
    AllDay {
        /// The first day.
        start: NaiveDate,
        /// The first day after it.
        end: NaiveDate,
    },
}

impl OccurrenceTime {
    /// Whether it lasts whole days.
    #[must_use]
    pub fn is_all_day(&self) -> bool {
        matches!(self, Self::AllDay { .. })
    }

    /// The start for ordering and for windows; a date counts from its midnight in UTC.
    #[must_use]
    pub fn starts(&self) -> DateTime<Utc> {
        match self {
            Self::Timed { start, .. } => *start,
            Self::AllDay { start, .. } => midnight(*start),
        }
    }

    /// The end, on the same scale as [`OccurrenceTime::starts`].
    #[must_use]
    pub fn ends(&self) -> DateTime<Utc> {
        match self {
            Self::Timed { end, .. } => *end,
            Self::AllDay { end, .. } => midnight(*end),
        }
    }
}

impl EventTiming {
    /// Whether the event lasts whole days.
    #[must_use]
    pub fn is_all_day(&self) -> bool {
        matches!(self, Self::AllDay { .. })
    }
}

impl From<&EventTiming> for OccurrenceTime {
    /// An all-day event without an end lasts one day, a timed one has no length (RFC 5545 §3.6.1).
    /// An end before the start counts as absent.
    fn from(timing: &EventTiming) -> Self {
        match *timing {
            EventTiming::Timed { start, end, .. } => Self::Timed {
                start,
                end: end.unwrap_or(start).max(start),
            },
            EventTiming::AllDay { start, end } => {
                let next = start.succ_opt().unwrap_or(start);
                Self::AllDay {
                    start,
                    end: end.unwrap_or(next).max(next),
                }
            }
        }
    }
}

impl EventStatus {
    /// The text that is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Tentative => "tentative",
            Self::Cancelled => "cancelled",
        }
    }
}

impl FromStr for EventStatus {
    type Err = UnknownEventStatus;

    fn from_str(text: &str) -> Result<Self, UnknownEventStatus> {
        match text {
            "confirmed" => Ok(Self::Confirmed),
            "tentative" => Ok(Self::Tentative),
            "cancelled" => Ok(Self::Cancelled),
            _ => Err(UnknownEventStatus),
        }
    }
}

impl fmt::Display for UnknownEventStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown event status")
    }
}

impl std::error::Error for UnknownEventStatus {}

fn midnight(date: NaiveDate) -> DateTime<Utc> {
    date.and_time(NaiveTime::MIN).and_utc()
}
