//! Scans the audit log slice by slice along its one index, until a page is full, the end is reached or the budget is used up.

use std::time::{Duration, Instant};

use tokio_postgres::IsolationLevel;

use super::slice::{self, SLICE_WAIT_MAX, Slice};
use super::{AuditFilter, AuditRow, Direction, Position};
use crate::db::{Lent, ServicePool, StoreError};

/// The limits of one page's search for matching rows.
#[derive(Clone, Copy, Debug)]
pub struct ScanBudget {
    /// Rows read by one statement: about as many as one flush writes, since rows with the same `created_at` are sorted together.
    pub slice_rows: usize,
    /// After this time no further slice is begun.
    pub time: Duration,
    /// The time limit of one slice.
    pub slice_time: Duration,
}

impl Default for ScanBudget {
    fn default() -> Self {
        Self {
            slice_rows: 5_000,
            time: Duration::from_secs(1),
            slice_time: SLICE_WAIT_MAX,
        }
    }
}

/// The result of a scan.
#[derive(Debug)]
pub struct ScanResult {
    /// The matching rows in the order of the scan, at most `rows_max`.
    pub rows: Vec<AuditRow>,
    /// Why the scan ended.
    pub end: ScanEnd,
}

/// Why a scan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanEnd {
    /// There are no further rows in its direction.
    Exhausted,
    /// `rows_max` rows matched.
    Full,
    /// The budget was used up; every row up to this position has been compared.
    Spent(Position),
}

/// Scans from `from` in `direction` until `rows_max` rows match.
///
/// # Errors
/// When the database cannot be read, or not even the first slice within its time limit.
pub async fn scan(
    pool: &ServicePool,
    filter: &AuditFilter,
    direction: Direction,
    from: Position,
    rows_max: usize,
    budget: ScanBudget,
) -> Result<ScanResult, StoreError> {
    let mut lent = Lent::new(pool.get().await?);
    let slice_rows = if filter.is_bounded_by_time_only() {
        rows_max
    } else {
        budget.slice_rows.max(rows_max)
    };
    let connection = lent.connection()?;
    let reading =
        slice::begin(connection, IsolationLevel::ReadCommitted, budget.slice_time).await?;
    let begun = Instant::now();
    let mut at = from;
    let mut rows = Vec::new();
    let end = loop {
        let slice = match Slice::read(&reading, filter, direction, at, slice_rows).await {
            Ok(slice) => slice,
            // The slices before are an answer; without any there is none.
            Err(StoreError::Cancelled) if at != from => break ScanEnd::Spent(at),
            Err(StoreError::Cancelled) => return Err(StoreError::Busy),
            Err(cause) => return Err(cause),
        };
        rows.extend(slice.matching);
        if rows.len() >= rows_max {
            rows.truncate(rows_max);
            break ScanEnd::Full;
        }
        match slice.further {
            Some(further) => at = further,
            None => break ScanEnd::Exhausted,
        }
        if begun.elapsed() >= budget.time {
            break ScanEnd::Spent(at);
        }
    };
    // Nothing was changed; a connection that cannot roll back is closed instead of returned to the pool.
    if reading.rollback().await.is_ok() {
        lent.give_back();
    }
    Ok(ScanResult { rows, end })
}
