//! The runs of a connection, as the Console reads them; whoever syncs notes them.

use chrono::{DateTime, Utc};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::db::{Cells, ServicePool, StoreError, count};

const LIST: &str = include_str!("../../sql/statements/sync_runs/list.sql");

/// One run: a round at the source and what it brought.
#[derive(Clone, Debug)]
pub(crate) struct NotedRun {
    pub started_at: DateTime<Utc>,
    /// `None` while it goes on.
    pub ended_at: Option<DateTime<Utc>>,
    /// `None` while it goes on.
    pub outcome: Option<String>,
    pub upserted: u64,
    pub deleted: u64,
    /// Items that could not be stored.
    pub skipped: u64,
    pub message: Option<String>,
}

/// At the most `rows_max` runs of the connection, the newest first.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn list(
    pool: &ServicePool,
    connection: Uuid,
    rows_max: usize,
) -> Result<Vec<NotedRun>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LIST).await?;
    let rows_max = i64::try_from(rows_max).unwrap_or(i64::MAX);
    let rows = client
        .query(&statement, &[&OPERATOR, &connection, &rows_max])
        .await?;
    rows.iter().map(run).collect()
}

fn run(row: &Row) -> Result<NotedRun, StoreError> {
    let mut cells = Cells::of("sync_runs/list", row);
    let run = NotedRun {
        started_at: cells.named("started_at")?,
        ended_at: cells.named("ended_at")?,
        outcome: cells.named("outcome")?,
        upserted: whole(&mut cells, "upserted")?,
        deleted: whole(&mut cells, "deleted")?,
        skipped: whole(&mut cells, "skipped")?,
        message: cells.named("message")?,
    };
    cells.end()?;
    Ok(run)
}

fn whole(cells: &mut Cells<'_>, name: &'static str) -> Result<u64, StoreError> {
    count(i64::from(cells.named::<i32>(name)?))
}
