//! Where a scope stands.

use chrono::{DateTime, TimeDelta, Utc};
use deadpool_postgres::Transaction;
use serde_json::Value;
use sextant_actors::domain::Sector;
use sextant_connectors::home_assistant::HISTORY_SCOPE;
use sextant_connectors::round::{Page, ScopeCoverage};
use tokio_postgres::types::ToSql;

use super::fence::PageRefusal;
use super::target::PageTarget;
use crate::db::{Cells, StoreError};
use crate::sync::limits::HISTORY_KEPT;

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
    let covered_from = covered_from(page, target);
    let values: [&(dyn ToSql + Sync); 8] = [
        &target.user,
        &target.connection,
        &page.scope,
        &verdict.position,
        &covered_from,
        &full_sync_at,
        &verdict.doubted_at,
        &target.now,
    ];
    transaction.execute(ADVANCE, &values).await?;
    Ok(())
}

/// From when on a scope is covered; `None` where nothing bounds it. What a home was is kept for a time only.
fn covered_from(page: &Page, target: &PageTarget) -> Option<DateTime<Utc>> {
    let told = match page.coverage {
        ScopeCoverage::AsAsked => target.since,
        ScopeCoverage::Everything => None,
        ScopeCoverage::From(instant) => Some(instant),
    };
    match (target.sector, page.scope.as_str()) {
        (Sector::Home, HISTORY_SCOPE) => told.max(kept_since(target.now)),
        _ => told,
    }
}

fn kept_since(now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    now.checked_sub_signed(TimeDelta::from_std(HISTORY_KEPT).ok()?)
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
