use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio::sync::SetOnce;
use uuid::Uuid;

use crate::clock::Clock;
use crate::ports::{Draw, Rounds};

/// Told that the end of a round, or that a stream is listened to, has been stored; with those whose plans changed with it.
pub type OnSettled = Arc<dyn Fn(&[Uuid]) + Send + Sync>;

/// What the actor of a connection works with.
#[derive(Clone)]
pub struct SyncServices {
    /// The rounds.
    pub rounds: Arc<dyn Rounds>,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
    /// What spreads the rounds.
    pub draw: Draw,
    /// Who is told how a round ended.
    pub settled: OnSettled,
}

/// A round that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedRound {
    /// What it is to whoever asked.
    pub start: RoundStart,
    /// Set to the id of its run, once that is kept; never for a round that has no turn.
    pub run: Arc<SetOnce<i64>>,
}

/// What a round that was asked for is to whoever asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundStart {
    /// It began because of that.
    Begun,
    /// It was under way already, or its source is listened to.
    Joined,
}

/// Why a round that was asked for did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncRefusal {
    /// The source asked for a rest, or failed: not before this instant.
    Waiting(DateTime<Utc>),
    /// The source does not take the credential any more.
    NeedsPerson,
    /// The connection is being paused, removed or stopped.
    Halted,
    /// Its actor was restarted meanwhile, or is gone.
    Lost,
    /// No answer in time: a round that is under way goes on.
    Late,
}
