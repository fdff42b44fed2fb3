//! What a live fetch did at one connection, as an agent is told it.

use chrono::{DateTime, SecondsFormat, Utc};

use crate::domain::KnownConnection;
use crate::ports::{RoundEnd, RoundReport};
use crate::sync::SyncRefusal;

/// At a connection that only its device can fill.
pub const PUSH_ONLY: &str = "push_only";
/// Everything that the source has is kept.
const FETCHED: &str = "fetched";
/// More is being read.
const RUNNING: &str = "running";
/// The source is not asked before an instant.
const WAITING: &str = "waiting";
/// Nothing more was read.
const FAILED: &str = "failed";
/// Only the operator can make it go on.
const NEEDS_SIGN_IN: &str = "needs_sign_in";

/// What a live fetch did at one connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The connection's label.
    pub connection: String,
    /// `fetched`, `running`, `waiting`, `failed`, `needs_sign_in`, or `push_only` for a push connection.
    pub outcome: &'static str,
    /// Records that were stored by the round that was begun or joined.
    pub upserted: u64,
    /// Records that were deleted by it.
    pub deleted: u64,
    /// A sentence for the agent.
    pub message: String,
}

impl Fetched {
    fn of(connection: &KnownConnection, outcome: &'static str, message: impl Into<String>) -> Self {
        Self {
            connection: connection.label.clone(),
            outcome,
            upserted: 0,
            deleted: 0,
            message: message.into(),
        }
    }

    pub(super) fn pushed(connection: &KnownConnection) -> Self {
        let message = "this connection is filled by its device; there is nothing to fetch";
        Self::of(connection, PUSH_ONLY, message)
    }

    /// Of one without an actor.
    pub(super) fn not_started(connection: &KnownConnection) -> Self {
        let message =
            "the service has not begun to read this source yet; try again in a few seconds";
        Self::of(connection, FAILED, message)
    }

    /// Of one whose actor rests after a crash.
    pub(super) fn resting(connection: &KnownConnection) -> Self {
        let message = "reading this source failed inside the service, which tries again by itself; the operator can restart it";
        Self::of(connection, FAILED, message)
    }

    /// Of a round that was begun or joined.
    pub(super) fn after(
        connection: &KnownConnection,
        asked: Result<RoundReport, SyncRefusal>,
    ) -> Self {
        match asked {
            Ok(report) => Self {
                upserted: report.upserted,
                deleted: report.deleted,
                ..Self::ended(connection, &report)
            },
            Err(refusal) => Self::refused(connection, refusal),
        }
    }

    fn ended(connection: &KnownConnection, report: &RoundReport) -> Self {
        let problem = report.problem.as_ref().map(|problem| &*problem.message);
        let (outcome, message) = match report.end {
            RoundEnd::Finished => (FETCHED, "everything that this source has is kept"),
            RoundEnd::Listening => (
                FETCHED,
                "this source tells its changes as they happen, and all of them are kept; the counts are of when it was last opened",
            ),
            RoundEnd::Unfinished => (RUNNING, "this source has more, which is being read"),
            RoundEnd::Halted => (
                FAILED,
                "reading this source was ended: the connection is paused or removed, or the service stops",
            ),
            RoundEnd::Failed { .. } => (
                FAILED,
                problem.unwrap_or("this source could not be read; it is tried again by itself"),
            ),
            RoundEnd::NeedsPerson => (NEEDS_SIGN_IN, problem.unwrap_or(SIGN_IN)),
            RoundEnd::StoreAway => (
                FAILED,
                "what this source has could not be stored; it is tried again by itself",
            ),
        };
        Self::of(connection, outcome, message)
    }

    fn refused(connection: &KnownConnection, refusal: SyncRefusal) -> Self {
        match refusal {
            SyncRefusal::Waiting(until) => {
                let until = rfc3339(until);
                let message = format!(
                    "this source asked for a rest or failed, and is not asked before {until}; what is kept is answered"
                );
                Self::of(connection, WAITING, message)
            }
            SyncRefusal::NeedsPerson => Self::of(connection, NEEDS_SIGN_IN, SIGN_IN),
            SyncRefusal::Halted => Self::of(
                connection,
                FAILED,
                "the connection is being paused or removed, or the service stops",
            ),
            SyncRefusal::Lost => Self::of(
                connection,
                FAILED,
                "reading this source was begun anew meanwhile; try again in a few seconds",
            ),
            SyncRefusal::Late => Self::of(
                connection,
                RUNNING,
                "this source is still being read, and goes on; ask again, or use query for what is kept by then",
            ),
        }
    }
}

const SIGN_IN: &str = "the operator has to sign in again at this source";

/// RFC 3339 in UTC.
fn rfc3339(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}
