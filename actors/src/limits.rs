//! Every bound the actors keep, named, with its default.

use std::time::Duration;

/// The bounds that a configuration may change.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How often the record is written (spec §2.1).
    pub audit_flush_interval: Duration,
    /// Rows that may wait for the database before further ones are counted instead of kept.
    pub audit_waiting_rows_max: usize,
    /// Bytes that may wait likewise.
    pub audit_waiting_bytes_max: usize,
    /// Live sessions an agent may have.
    pub sessions_per_agent_max: usize,
    /// How long a session may be idle.
    pub session_idle_max: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            audit_flush_interval: Duration::from_millis(1000),
            audit_waiting_rows_max: 200_000,
            audit_waiting_bytes_max: 256 * 1024 * 1024,
            sessions_per_agent_max: 32,
            session_idle_max: Duration::from_secs(300),
        }
    }
}
