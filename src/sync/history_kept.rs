//! What a home was is kept for some time only: a home makes tens of thousands of states a day.
//!
//! Rows that are too old go as those do that a source no longer has, by tombstones; these go after as long again. From then on a
//! change cursor that has not seen them is refused (`crate::query::Watermark`).

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use deadpool_postgres::Transaction;
use sextant_actors::domain::{OPERATOR, Sector};
use sextant_connectors::home_assistant::HISTORY_SCOPE;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::limits::{HISTORY_KEPT, HISTORY_ROWS_AT_ONCE_MAX};
use super::page::{PageRefusal, PageTarget, StoredPage, remove_items};
use crate::db::{ServicePool, StoreError, columns, count, only_value, tx};
use crate::ingest::StoreFailure;

const HOMES: &str = include_str!("../../sql/statements/connections/homes_read.sql");
const HOLD: &str = include_str!("../../sql/statements/connections/hold_home.sql");
const OLDER: &str = include_str!("../../sql/statements/source_items/older.sql");
const NARROW: &str = include_str!("../../sql/statements/sync_cursors/narrow.sql");
const PURGE: &str = include_str!("../../sql/statements/generations/purge_history.sql");

/// What of the past went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HistoryGone {
    /// Rows that became tombstones.
    pub ended: u64,
    /// Tombstones that were deleted.
    pub purged: u64,
}

/// Ends what is older than is kept, of all homes that are read, and deletes old tombstones.
///
/// # Errors
/// When the database fails; what went before stays gone.
pub(crate) async fn forget_history(
    pool: &ServicePool,
    zone: Tz,
    now: DateTime<Utc>,
) -> Result<HistoryGone, StoreFailure> {
    let kept = TimeDelta::from_std(HISTORY_KEPT).unwrap_or(TimeDelta::MAX);
    let Some(before) = now.checked_sub_signed(kept) else {
        return Ok(HistoryGone::default());
    };
    let mut gone = HistoryGone::default();
    for connection in homes(pool).await? {
        let target = PageTarget {
            user: OPERATOR,
            connection,
            sector: Sector::Home,
            zone,
            now,
            since: None,
        };
        gone.ended += end_older(pool, &target, before).await?;
        narrow(pool, &target, before).await?;
    }
    gone.purged = purge(pool, before).await?;
    Ok(gone)
}

async fn homes(pool: &ServicePool) -> Result<Vec<Uuid>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(HOMES).await?;
    let rows = client.query(&statement, &[&OPERATOR]).await?;
    let id = |row| {
        let (id,): (Uuid,) = columns("connections/homes_read", row)?;
        Ok(id)
    };
    rows.iter().map(id).collect()
}

/// Ends the items of a home that lie before an instant; pages of it wait meanwhile, so few go at once.
async fn end_older(
    pool: &ServicePool,
    target: &PageTarget,
    before: DateTime<Utc>,
) -> Result<u64, StoreFailure> {
    let mut ended = 0;
    loop {
        let removed = tx(pool, "what a home was", |transaction| {
            Box::pin(async move { end_some(&transaction, target, before).await })
        });
        match removed.await {
            Ok(None) => return Ok(ended),
            Ok(Some(rows)) => ended += rows,
            Err(PageRefusal::Store(cause)) => return Err(cause),
            // The connection was removed meanwhile.
            Err(PageRefusal::Closed | PageRefusal::Moved) => return Ok(ended),
        }
    }
}

/// The number of rows that went; `None` when nothing is that old.
async fn end_some(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    before: DateTime<Utc>,
) -> Result<Option<u64>, PageRefusal> {
    let held = transaction
        .query_opt(HOLD, &[&target.user, &target.connection])
        .await?;
    held.ok_or(PageRefusal::Closed)?;
    let values: [&(dyn ToSql + Sync); 4] = [
        &target.connection,
        &HISTORY_SCOPE,
        &before,
        &HISTORY_ROWS_AT_ONCE_MAX,
    ];
    let rows = transaction.query(OLDER, &values).await?;
    let key = |row| {
        let (key,): (String,) = columns("source_items/older", row)?;
        Ok::<_, StoreError>(key)
    };
    let keys: Vec<String> = rows.iter().map(key).collect::<Result<_, _>>()?;
    if keys.is_empty() {
        return Ok(None);
    }
    let mut stored = StoredPage::default();
    remove_items(transaction, target, HISTORY_SCOPE, &keys, &mut stored).await?;
    Ok(Some(stored.deleted))
}

/// Has it told that nothing before an instant is kept; pages say so too, but a home that is away has none.
async fn narrow(
    pool: &ServicePool,
    target: &PageTarget,
    before: DateTime<Utc>,
) -> Result<(), StoreError> {
    tx(pool, "from when on a home is kept", |transaction| {
        Box::pin(async move {
            let values: [&(dyn ToSql + Sync); 4] =
                [&target.user, &target.connection, &HISTORY_SCOPE, &before];
            transaction.execute(NARROW, &values).await?;
            Ok(())
        })
    })
    .await
}

/// Deletes tombstones that were left before an instant.
async fn purge(pool: &ServicePool, before: DateTime<Utc>) -> Result<u64, StoreError> {
    let mut purged = 0;
    loop {
        let some: i64 = tx(pool, "tombstones of what a home was", |transaction| {
            Box::pin(async move {
                let values: [&(dyn ToSql + Sync); 3] =
                    [&OPERATOR, &before, &HISTORY_ROWS_AT_ONCE_MAX];
                let rows = transaction.query(PURGE, &values).await?;
                only_value("generations/purge_history", &rows)
            })
        })
        .await?;
        if some == 0 {
            return Ok(purged);
        }
        purged += count(some)?;
    }
}
