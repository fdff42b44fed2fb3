//! Reads all matching audit rows, newest first, from one snapshot of the database.
//!
//! It reads slices too, so that only one of them is in memory, however long the log is. A slow receiver occupies only one
//! connection.

use std::ops::ControlFlow;
use std::time::Duration;

use tokio_postgres::IsolationLevel;

use super::slice::{self, Slice};
use super::{AuditFilter, AuditRow, Direction, Position};
use crate::db::{Lent, ServicePool, StoreError};

/// Rows read by one statement, which is the most that is in memory.
const SLICE_ROWS: usize = 2_000;
/// The time limit of one slice.
const SLICE_WAIT_MAX: Duration = Duration::from_secs(30);

/// Passes slice after slice to `take`, also empty ones, until the end is reached or `take` breaks.
///
/// # Errors
/// When the database cannot be read.
pub async fn read_whole(
    pool: &ServicePool,
    filter: &AuditFilter,
    mut take: impl AsyncFnMut(Vec<AuditRow>) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    let mut lent = Lent::new(pool.get().await?);
    let connection = lent.connection()?;
    let reading = slice::begin(connection, IsolationLevel::RepeatableRead, SLICE_WAIT_MAX).await?;
    let mut at = Some(Position::newest());
    while let Some(from) = at {
        let slice = Slice::read(&reading, filter, Direction::Older, from, SLICE_ROWS).await?;
        at = slice.further;
        if take(slice.matching).await.is_break() {
            break;
        }
    }
    if reading.rollback().await.is_ok() {
        lent.give_back();
    }
    Ok(())
}
