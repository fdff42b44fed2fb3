//! Whether a page may be committed: asked first, and once more with the last statement.

use std::fmt;

use deadpool_postgres::Transaction;

use super::stored_page::StoredPage;
use super::target::PageTarget;
use crate::db::{StoreError, TxFailure};
use crate::ingest::StoreFailure;

const HOLD: &str = include_str!("../../../sql/statements/connections/hold_for_page.sql");
const COUNT: &str = include_str!("../../../sql/statements/sync_runs/count.sql");
const WAIT_PATIENTLY: &str = include_str!("../../../sql/statements/transaction/wait_patiently.sql");
const PLAN_EACH_TIME: &str = include_str!("../../../sql/statements/transaction/plan_each_time.sql");

/// Why nothing of a page was stored.
#[derive(Debug)]
pub(crate) enum PageRefusal {
    /// The connection takes no page any more: it is paused, removed, or its credential was revoked.
    Closed,
    /// The store stands elsewhere than where the page began, or its run is over: it was erased, or another run is under way.
    Moved,
    /// The database.
    Store(StoreFailure),
}

impl From<StoreError> for PageRefusal {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause.into())
    }
}

impl From<StoreFailure> for PageRefusal {
    fn from(cause: StoreFailure) -> Self {
        Self::Store(cause)
    }
}

impl From<tokio_postgres::Error> for PageRefusal {
    fn from(cause: tokio_postgres::Error) -> Self {
        Self::Store(cause.into())
    }
}

impl TxFailure for PageRefusal {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(cause) => cause.as_store(),
            Self::Closed | Self::Moved => None,
        }
    }
}

impl fmt::Display for PageRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("the connection takes nothing any more"),
            Self::Moved => f.write_str("the store was changed meanwhile"),
            Self::Store(cause) => cause.fmt(f),
        }
    }
}

impl std::error::Error for PageRefusal {}

/// Holds the connection until the page is committed: who pauses, removes, revokes or erases waits for that.
pub(super) async fn hold(
    transaction: &Transaction<'_>,
    target: &PageTarget,
) -> Result<(), PageRefusal> {
    transaction.batch_execute(PLAN_EACH_TIME).await?;
    transaction.batch_execute(WAIT_PATIENTLY).await?;
    let held = transaction
        .query_opt(HOLD, &[&target.user, &target.connection])
        .await?;
    held.map(drop).ok_or(PageRefusal::Closed)
}

/// Adds what the page changed to its run.
pub(super) async fn count(
    transaction: &Transaction<'_>,
    target: &PageTarget,
    run: i64,
    stored: &StoredPage,
) -> Result<(), PageRefusal> {
    let skipped = stored.skipped.len() as u64;
    let [upserted, deleted, skipped] = [stored.upserted, stored.deleted, skipped]
        .map(|count| i32::try_from(count).unwrap_or(i32::MAX));
    let values: [&(dyn tokio_postgres::types::ToSql + Sync); 5] =
        [&target.connection, &run, &upserted, &deleted, &skipped];
    match transaction.execute(COUNT, &values).await? {
        0 => Err(PageRefusal::Moved),
        _ => Ok(()),
    }
}
