//! The bounds of this surface's reads that could go on for long.

use std::time::Duration;

use crate::store::audit_read::ScanBudget;

/// How far each of them may go.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits {
    /// How far one page of the record looks for rows that match.
    pub page: ScanBudget,
    /// The longest that whoever reads the record as a file may take nothing.
    pub file_stall_max: Duration,
    /// The longest that counting the rows of all sectors, which ends by itself before, is waited for.
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
