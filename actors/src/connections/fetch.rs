use super::ConnectionSnapshot;
use crate::domain::{ConnectionState, Sector};

/// The outcome of a fetch at a connection that only its device can fill.
pub const PUSH_ONLY: &str = "push_only";
/// The outcome of a fetch at a connection whose actor does not answer.
pub const UNAVAILABLE: &str = "unavailable";

/// What a live fetch did at one connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The connection's label.
    pub connection: String,
    /// `push_only` for a push connection.
    pub outcome: &'static str,
    /// Records that were stored.
    pub upserted: u64,
    /// Records that were deleted.
    pub deleted: u64,
    /// A sentence for the agent.
    pub message: String,
}

/// The active connections of a sector as a fetch that reached none of them leaves them, by label.
pub(super) fn unreached_connections(
    connections: &ConnectionSnapshot,
    sector: Sector,
    outcome: &'static str,
    message: &str,
) -> Vec<Fetched> {
    let mut fetched: Vec<Fetched> = connections
        .values()
        .filter(|row| row.sector == sector && row.state == ConnectionState::Active)
        .map(|row| Fetched {
            connection: row.label.clone(),
            outcome,
            upserted: 0,
            deleted: 0,
            message: message.to_owned(),
        })
        .collect();
    fetched.sort_by(|one, other| one.connection.cmp(&other.connection));
    fetched
}
