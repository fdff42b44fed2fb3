//! The journal and the rows of the audit log that wait, as the status names them. Both are counted in memory.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use sextant_actors::audit::AuditStats;
use sextant_actors::journal::JournalState;

/// How the journal stands.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct JournalView {
    state: JournalWord,
    /// Since when the disk has failed it; null unless `failing`.
    failing_since: Option<DateTime<Utc>>,
    /// Rows recorded that the database does not have yet, in memory or in the journal alone.
    waiting_rows: usize,
    /// Rows that were lost since the start.
    dropped_rows: u64,
}

/// Whether the journal takes rows.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum JournalWord {
    Ok,
    Failing,
    Absent,
}

impl JournalView {
    pub(super) fn of(stats: &AuditStats) -> Self {
        let (state, failing_since) = match stats.journal.state {
            JournalState::Ok => (JournalWord::Ok, None),
            JournalState::Failing { since } => (JournalWord::Failing, Some(since)),
            JournalState::Absent => (JournalWord::Absent, None),
        };
        Self {
            state,
            failing_since,
            waiting_rows: stats.waiting_rows,
            dropped_rows: stats.dropped_rows,
        }
    }
}
