//! The whole of the record that passes a filter, newest first, as it stood when the reading began.
//!
//! Slices again, in one snapshot: memory holds one of them, however long the record is, and whoever takes its time over what it
//! was handed holds up nothing but this one connection.

use std::ops::ControlFlow;
use std::time::Duration;

use tokio_postgres::IsolationLevel;

use super::slice::{self, Slice};
use super::{AuditRow, Direction, Filter, Position};
use crate::db::{Lent, ServicePool, StoreError};

/// Rows judged in one statement, and the most that are held at once.
const SLICE_ROWS: usize = 2_000;
/// The longest one slice may take.
const SLICE_WAIT_MAX: Duration = Duration::from_secs(30);

/// Hands over slice after slice, an empty one too, until the end is met or `take` has had enough.
///
/// # Errors
/// When the database cannot be read.
pub async fn read_whole(
    pool: &ServicePool,
    filter: &Filter,
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
