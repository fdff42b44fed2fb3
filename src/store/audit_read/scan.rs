//! The walk through the record: slice by slice along its one index, until a page is full, the end is met or the budget is spent.

use std::time::{Duration, Instant};

use tokio_postgres::IsolationLevel;

use super::slice::{self, SLICE_WAIT_MAX, Slice};
use super::{AuditRow, Direction, Filter, Position};
use crate::db::{Lent, ServicePool, StoreError};

/// How far one page may look for rows that match.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Rows judged in one statement: about as many as one flush writes, since the rows of one stamp are sorted together.
    pub slice_rows: usize,
    /// No further slice is begun after this long.
    pub time: Duration,
    /// The longest that one slice may take.
    pub slice_time: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            slice_rows: 5_000,
            time: Duration::from_secs(1),
            slice_time: SLICE_WAIT_MAX,
        }
    }
}

/// What a walk brought home.
#[derive(Debug)]
pub struct Found {
    /// The rows that match, in the order they were met; at most as many as were asked for.
    pub rows: Vec<AuditRow>,
    /// Why it ended.
    pub end: End,
}

/// Why a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There is nothing further that way.
    Exhausted,
    /// As many rows as were asked for were found.
    Full,
    /// The budget was spent; everything up to here has been judged.
    Spent(Position),
}

/// Walks from `from` in `direction` until `rows_max` rows match.
///
/// # Errors
/// When the database cannot be read, or not even one slice in its time.
pub async fn walk(
    pool: &ServicePool,
    filter: &Filter,
    direction: Direction,
    from: Position,
    rows_max: usize,
    budget: Budget,
) -> Result<Found, StoreError> {
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
            // What was judged before is an answer; a store that cannot judge even one slice has none.
            Err(StoreError::Cancelled) if at != from => break End::Spent(at),
            Err(StoreError::Cancelled) => return Err(StoreError::Busy),
            Err(cause) => return Err(cause),
        };
        rows.extend(slice.matching);
        if rows.len() >= rows_max {
            rows.truncate(rows_max);
            break End::Full;
        }
        match slice.further {
            Some(further) => at = further,
            None => break End::Exhausted,
        }
        if begun.elapsed() >= budget.time {
            break End::Spent(at);
        }
    };
    // Nothing was changed, so that this only hands the connection back; one that cannot is closed.
    if reading.rollback().await.is_ok() {
        lent.give_back();
    }
    Ok(Found { rows, end })
}
