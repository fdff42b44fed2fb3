use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::SetOnce;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{PortError, PortFuture};

/// Rounds of the connections that are read from their sources, and what is kept of their timing.
pub trait Rounds: Send + Sync + 'static {
    /// The timing of a connection as it is stored: read whenever its actor starts, after a crash too.
    fn plan(&self, connection: Uuid) -> PortFuture<Result<SyncPlan, PortError>>;

    /// Runs one round, from the stored positions on. Each page is committed with its position, and only onto the position that it
    /// began from. Dropped, it leaves what it has committed. The round of a source that tells its changes by itself goes on after it
    /// has caught up, until the source falls silent or the round is halted.
    fn run(&self, round: RoundOrder) -> PortFuture<RoundReport>;

    /// Stores what became of a round, and when the next may begin. The same settlement twice is as once. What a source itself wishes
    /// holds for the other connections of its sign-in too.
    fn settle(&self, connection: Uuid, settled: Settlement) -> PortFuture<Result<(), PortError>>;

    /// The other connections of the same sign-in.
    fn siblings(&self, connection: Uuid) -> PortFuture<Result<Vec<Uuid>, PortError>>;
}

/// Draws a number; all of its range is equally likely.
pub type Draw = Arc<dyn Fn() -> u16 + Send + Sync>;

/// When a connection is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncPlan {
    /// Between the end of one round and the beginning of the next.
    pub interval: Duration,
    /// Its source tells its changes by itself: it is opened again soon after it fell silent, and never by its interval.
    pub is_stream: bool,
    /// The end of the last round that succeeded.
    pub last_success_at: Option<DateTime<Utc>>,
    /// No round begins by itself before it: a source's `Retry-After`, or a backoff.
    pub retry_at: Option<DateTime<Utc>>,
    /// What of that is the source's own wish: nobody shortens it. A backoff ends when the person wants a round.
    pub wished_until: Option<DateTime<Utc>>,
    /// Only a person can make it go on: with a new sign-in, or by resuming it.
    pub needs_person: bool,
}

/// One round that is to be.
#[derive(Clone, Debug)]
pub struct RoundOrder {
    /// Of which connection.
    pub connection: Uuid,
    /// Cancelled when the round is to end between two pages.
    pub halt: CancellationToken,
    /// How long it may go on; then it ends between two pages. Nothing limits a source that has caught up.
    pub time: Duration,
    /// Set to the id of the run that the round is kept as, once it is.
    pub run: Arc<SetOnce<i64>>,
    /// Set by a source that tells its changes by itself, when all that it had is stored.
    pub caught_up: Arc<SetOnce<RoundReport>>,
}

/// What a round did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundReport {
    /// How it ended.
    pub end: RoundEnd,
    /// Rows that were stored.
    pub upserted: u64,
    /// Rows that were deleted.
    pub deleted: u64,
    /// Why the source failed, or what of it could not be stored.
    pub problem: Option<SourceProblem>,
}

impl RoundReport {
    /// Of a round of which nothing else is known.
    pub const fn of(end: RoundEnd) -> Self {
        Self {
            end,
            upserted: 0,
            deleted: 0,
            problem: None,
        }
    }
}

/// What is wrong with a source, for people and agents. It holds no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceProblem {
    /// A word: `credential_refused`, `rate_limited`, `unavailable`, …
    pub code: &'static str,
    /// A sentence that says what to do where something can be done.
    pub message: String,
    /// The status of the source's answer, where its protocol has one.
    pub status: Option<u16>,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundEnd {
    /// The source has told everything.
    Finished,
    /// Its time was over, and it had stored something: it goes on at once.
    Unfinished,
    /// All that the source had is stored, and it goes on telling what changes.
    Listening,
    /// It was to end between two pages.
    Halted,
    /// The source failed, or asks for a rest until an instant.
    Failed {
        /// The source's own wish.
        retry_at: Option<DateTime<Utc>>,
    },
    /// The source does not take the credential any more, or there is none.
    NeedsPerson,
    /// The database is away: no trouble of the source, and no verdict on it.
    StoreAway,
}

impl RoundEnd {
    /// Until when the source wishes not to be asked, if it said so.
    #[must_use]
    pub const fn wish(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::Failed { retry_at } => *retry_at,
            _ => None,
        }
    }
}

/// What is stored of a round's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// What it did.
    pub report: RoundReport,
    /// When it ended.
    pub ended_at: DateTime<Utc>,
    /// No round begins before it; `None` when the next one is due by its interval alone.
    pub retry_at: Option<DateTime<Utc>>,
}
