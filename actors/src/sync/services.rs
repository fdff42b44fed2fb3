use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::clock::Clock;
use crate::ports::Rounds;

/// What the actor of a connection works with.
#[derive(Clone)]
pub struct SyncServices {
    /// The rounds.
    pub rounds: Arc<dyn Rounds>,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
    /// What spreads the rounds.
    pub draw: Arc<dyn Fn() -> u16 + Send + Sync>,
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
    /// Its actor was restarted meanwhile, or gives no answer.
    Lost,
}
