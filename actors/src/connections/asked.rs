//! What the operator asks of the actor of one connection.

use chrono::{DateTime, Utc};

use crate::sync::SyncRefusal;

/// Why no round was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotBegun {
    /// No connection has this id.
    Unknown,
    /// Devices push to it: there is nothing to read.
    IsPushed,
    /// It is paused, or being paused or removed.
    Paused,
    /// The source asked for a rest: not before this instant.
    Waiting(DateTime<Utc>),
    /// The source does not take the credential any more.
    NeedsPerson,
    /// Its actor crashed and rests: a restart ends that.
    Resting,
    /// Its actor has not been started yet, or is busy: later.
    Busy,
}

impl From<SyncRefusal> for NotBegun {
    fn from(refusal: SyncRefusal) -> Self {
        match refusal {
            SyncRefusal::Waiting(until) => Self::Waiting(until),
            SyncRefusal::NeedsPerson => Self::NeedsPerson,
            SyncRefusal::Halted => Self::Paused,
            SyncRefusal::Lost | SyncRefusal::Late => Self::Busy,
        }
    }
}
