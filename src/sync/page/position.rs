//! Where a scope stands.

use chrono::{DateTime, Utc};
use deadpool_postgres::Transaction;
use serde_json::Value;
use sextant_connectors::round::Page;
use tokio_postgres::types::ToSql;

use super::fence::PageRefusal;
use super::target::PageTarget;
use crate::db::{Cells, StoreError};

const READ: &str = include_str!("../../../sql/statements/sync_cursors/position.sql");
const ADVANCE: &str = include_str!("../../../sql/statements/sync_cursors/advance.sql");
const FORGET: &str = include_str!("../../../sql/statements/sync_cursors/forget_scope.sql");

/// Where a scope stands before a page.
#[derive(Debug, Default)]
pub(super) struct StoredPosition {
    pub position: Option<Value>,
    /// The beginning of a pass that would have deleted too much to be believed at once.
    pub doubted_at: Option<DateTime<Utc>>,
}

/// Where the scope stands after a page.
pub(super) struct Verdict {
    /// None: it is to be read anew, from its beginning.
    pub position: Option<Value>,
    /// A pass over everything ended, and was believed.
    pub is_complete: bool,
    pub doubted_at: Option<DateTime<Utc>>,
}

/// Reads it; a scope that was never begun stands nowhere.
pub(super) async fn read(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    scope: &str,
) -> Result<StoredPosition, StoreError> {
    let found = transaction
        .query_opt(READ, &[&target.user, &target.connection, &scope])
        .await?;
    let Some(row) = found else {
        return Ok(StoredPosition::default());
    };
    let mut cells = Cells::of("sync_cursors/position", &row);
    let stands = StoredPosition {
        position: cells.named("cursor")?,
        doubted_at: cells.named("doubted_at")?,
    };
    cells.end()?;
    Ok(stands)
}

/// Has the scope stand where the page ends.
pub(super) async fn advance(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    page: &Page,
    verdict: &Verdict,
) -> Result<(), PageRefusal> {
    let full_sync_at = verdict.is_complete.then_some(target.now);
    let values: [&(dyn ToSql + Sync); 8] = [
        &target.user,
        &target.connection,
        &page.scope,
        &verdict.position,
        &target.since,
        &full_sync_at,
        &verdict.doubted_at,
        &target.now,
    ];
    transaction.execute(ADVANCE, &values).await?;
    Ok(())
}

/// Forgets where a scope stands that is gone.
pub(super) async fn forget(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    scope: &str,
) -> Result<(), StoreError> {
    let values: [&(dyn ToSql + Sync); 3] = [&target.user, &target.connection, &scope];
    transaction.execute(FORGET, &values).await?;
    Ok(())
}
