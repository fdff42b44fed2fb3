//! The counters of the audit log's way to the database, as the Console shows them.

use std::io;

use chrono::{DateTime, Utc};

/// What waits to be written, and what became of the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditStats {
    /// Rows recorded and not yet committed, in memory or in the journal alone.
    pub waiting_rows: usize,
    /// Bytes of those in memory, estimated.
    pub waiting_bytes: usize,
    /// Rows that did not fit, or that the database would never take.
    pub dropped_rows: u64,
    /// Rows committed since the start.
    pub written_rows: u64,
    /// The journal in front of it.
    pub journal: JournalStats,
}

/// The state of the journal and its counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalStats {
    /// Entries written to it since the start.
    pub journaled_rows: u64,
    /// Entries since the start whose answer did not wait for the journal: too slow, failing or full.
    pub unjournaled_rows: u64,
    /// Rows that wait for the database in the journal alone.
    pub stored_rows: usize,
    /// Bytes of all its files.
    pub disk_bytes: u64,
    /// Whether it takes entries.
    pub state: JournalState,
    /// The last error of the disk, kept when it works again.
    pub last_error: Option<io::ErrorKind>,
}

/// Whether the journal takes entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JournalState {
    /// There is none: no folder could be had for it, or the service has not begun.
    #[default]
    Absent,
    /// It does.
    Ok,
    /// The disk fails it; it tries again.
    Failing {
        /// Since when.
        since: DateTime<Utc>,
    },
}
