//! The last pushes of a connection, as the Console reads them; `ingest` notes them.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::db::{Cells, ServicePool, StoreError, count};

const LIST: &str = include_str!("../../sql/statements/pushes/list.sql");

/// One push. Of a refused one all counts are 0.
#[derive(Clone, Debug)]
pub struct NotedPush {
    pub id: i64,
    /// When its transaction began, by the database's clock.
    pub at: DateTime<Utc>,
    pub inserted: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub deleted: u64,
    pub rejected: u64,
    /// The length of the body as it was sent, if it was one.
    pub bytes: Option<u64>,
    /// Why nothing was stored (`ingest::PushRefusal`); `None` when the push was stored.
    pub refusal: Option<Value>,
}

/// At the most `rows_max` pushes of the connection, the newest first; with `before` those that are older than the one with that id.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(
    pool: &ServicePool,
    connection: Uuid,
    before: Option<i64>,
    rows_max: usize,
) -> Result<Vec<NotedPush>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LIST).await?;
    let before = before.unwrap_or(i64::MAX);
    let rows_max = i64::try_from(rows_max).unwrap_or(i64::MAX);
    let rows = client
        .query(&statement, &[&OPERATOR, &connection, &before, &rows_max])
        .await?;
    rows.iter().map(push).collect()
}

fn push(row: &Row) -> Result<NotedPush, StoreError> {
    let mut cells = Cells::of("pushes/list", row);
    let push = NotedPush {
        id: cells.named("id")?,
        at: cells.named("at")?,
        inserted: count(cells.named("inserted")?)?,
        updated: count(cells.named("updated")?)?,
        unchanged: count(cells.named("unchanged")?)?,
        deleted: count(cells.named("deleted")?)?,
        rejected: count(cells.named("rejected")?)?,
        bytes: cells
            .named::<Option<i64>>("bytes")?
            .map(count)
            .transpose()?,
        refusal: cells.named("refusal")?,
    };
    cells.end()?;
    Ok(push)
}
