use uuid::Uuid;

use crate::domain::{Digest, Sector};

/// The two states of a connection (spec §3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionState {
    Active,
    Paused,
}

/// One connection as ingest, `fetch_live` and the Console need it in memory.
#[derive(Clone, Debug)]
pub struct PushConnection {
    pub id: Uuid,
    pub user: Uuid,
    pub provider: String,
    pub label: String,
    pub sector: Sector,
    /// The qualified table, `sector.table`.
    pub target: String,
    pub state: ConnectionState,
    /// `None` when no secret is set, or when what is stored has the wrong length: either matches nothing.
    pub secret: Option<Digest>,
}
