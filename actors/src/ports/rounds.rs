use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{PortError, PortFuture};

/// Rounds of the connections that are read from their sources, and what is kept of their timing.
pub trait Rounds: Send + Sync + 'static {
    /// The timing of a connection as it is stored: read whenever its actor starts, after a crash too.
    fn plan(&self, connection: Uuid) -> PortFuture<Result<SyncPlan, PortError>>;

    /// Runs one round, from the stored positions on. Each page is committed with its position, and only onto the position that it
    /// began from. Dropped, it leaves what it has committed.
    fn run(&self, round: RoundOrder) -> PortFuture<RoundEnd>;

    /// Stores what became of a round, and when the next may begin. The same settlement twice is as once.
    fn settle(&self, connection: Uuid, settled: Settlement) -> PortFuture<Result<(), PortError>>;
}

/// When a connection is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncPlan {
    /// Between the end of one round and the beginning of the next.
    pub interval: Duration,
    /// The end of the last round that succeeded.
    pub last_success_at: Option<DateTime<Utc>>,
    /// No round begins before it: a source's `Retry-After`, or a backoff.
    pub retry_at: Option<DateTime<Utc>>,
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
    /// How long it may go on; then it ends between two pages.
    pub time: Duration,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundEnd {
    /// The source has told everything.
    Finished,
    /// Its time was over, and it had stored something: it goes on at once.
    Unfinished,
    /// It was to end between two pages.
    Halted,
    /// The source failed, or asks for a rest until an instant.
    Failed {
        /// The source's own wish.
        retry_at: Option<DateTime<Utc>>,
    },
    /// The source does not take the credential any more.
    NeedsPerson,
    /// The database is away: no trouble of the source, and no verdict on it.
    StoreAway,
}

/// What is stored of a round's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// How it ended.
    pub end: RoundEnd,
    /// When it did.
    pub ended_at: DateTime<Utc>,
    /// No round begins before it; `None` when the next one is due by its interval alone.
    pub retry_at: Option<DateTime<Utc>>,
}
