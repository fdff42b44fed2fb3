//! The runs of a connection, as the Console reads them; whoever syncs notes them.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::db::{Cells, ServicePool, StoreError, count};

const LIST: &str = include_str!("../../sql/statements/sync_runs/list.sql");
const BRIEF: &str = include_str!("../../sql/statements/sync_runs/brief.sql");

/// One run: a round at the source and what it brought.
#[derive(Clone, Debug)]
pub(crate) struct NotedRun {
    pub id: i64,
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

/// A run as short as a bar of a strip.
#[derive(Clone, Debug)]
pub(crate) struct BriefRun {
    pub started_at: DateTime<Utc>,
    /// `None` while it goes on.
    pub outcome: Option<String>,
    /// Rows that were inserted, changed or deleted.
    pub changed: u64,
}

/// At the most `rows_max` runs of each connection, the newest first; one without runs is not among them.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn brief(
    pool: &ServicePool,
    rows_max: usize,
) -> Result<HashMap<Uuid, Vec<BriefRun>>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(BRIEF).await?;
    let rows_max = i64::try_from(rows_max).unwrap_or(i64::MAX);
    let rows = client.query(&statement, &[&OPERATOR, &rows_max]).await?;
    let mut runs: HashMap<Uuid, Vec<BriefRun>> = HashMap::new();
    for row in &rows {
        let mut cells = Cells::of("sync_runs/brief", row);
        let of = cells.named("connection_id")?;
        let run = BriefRun {
            started_at: cells.named("started_at")?,
            outcome: cells.named("outcome")?,
            changed: count(cells.named("changed")?)?,
        };
        cells.end()?;
        runs.entry(of).or_default().push(run);
    }
    Ok(runs)
}

fn run(row: &Row) -> Result<NotedRun, StoreError> {
    let mut cells = Cells::of("sync_runs/list", row);
    let run = NotedRun {
        id: cells.named("id")?,
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
