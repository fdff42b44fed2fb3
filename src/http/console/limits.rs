//! The limits of the Console's long reads.

use std::time::Duration;

use crate::store::audit_read::ScanBudget;

/// How long, and how far, each of them may read.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits {
    /// How far one page of the audit log looks for rows that match.
    pub page: ScanBudget,
    /// The longest that the client reading the audit log as a file may take nothing.
    pub file_stall_max: Duration,
    /// The longest wait for the count of all sectors' rows; usually it takes less.
    pub count_wait_max: Duration,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            page: ScanBudget::default(),
            file_stall_max: Duration::from_secs(10 * 60),
            count_wait_max: Duration::from_secs(5),
        }
    }
}
