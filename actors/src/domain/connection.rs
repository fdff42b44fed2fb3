use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use super::{Digest, Sector};

/// The provider of the connections that devices push to.
pub const PUSH: &str = "push";

/// The two states of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionState {
    /// Pushes are taken, and its source is read.
    Active,
    /// Neither; what is there stays.
    Paused,
}

/// One connection as ingest, agents' calls and the Console need it in memory.
#[derive(Clone, Debug)]
pub struct KnownConnection {
    /// Its id, as in the path of a push.
    pub id: Uuid,
    /// Whose it is.
    pub user: Uuid,
    /// `push` for one that devices push to; any other is read from its source.
    pub provider: String,
    /// What the operator calls it.
    pub label: String,
    /// Its sector, for good.
    pub sector: Sector,
    /// The qualified table, `sector.table`, that pushes fill; of one that is read, the main table of its sector.
    pub target: String,
    /// Active or paused.
    pub state: ConnectionState,
    /// `None` when no secret is set, or when what is stored has the wrong length: either matches nothing.
    pub secret: Option<Digest>,
    /// As it is stored: `ok`, `syncing`, `waiting`, or what is wrong.
    pub health: String,
    /// The last failure, as `describe_context` shows it.
    pub problem: Option<Value>,
    /// The end of the last push or sync that succeeded.
    pub last_success_at: Option<DateTime<Utc>>,
    /// How often it is read, if it is.
    pub interval: Option<Duration>,
    /// When its credential or consent ends by itself, if its provider says so.
    pub expires_at: Option<DateTime<Utc>>,
    /// It holds the sample household.
    pub is_sample: bool,
}

impl KnownConnection {
    /// Whether devices push to it; any other is read from its source.
    pub fn is_pushed(&self) -> bool {
        self.provider == PUSH
    }
}
