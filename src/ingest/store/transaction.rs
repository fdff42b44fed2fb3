//! The transaction of one push: its settings, its lock on the connection, and what it notes on the connection at the end.

use deadpool_postgres::Transaction;
use uuid::Uuid;

use crate::db::expect_one;
use crate::ingest::destination::PushDestination;
use crate::ingest::prepare::Rejects;
use crate::statements::write::Precedence;

use super::failure::StoreFailure;

/// One transaction that stores a push. The files of this folder implement its steps.
pub(super) struct PushTransaction<'a> {
    pub transaction: &'a Transaction<'a>,
    pub to: &'a PushDestination,
    /// The person's push connections of the same sector, in which references are looked up after the push's own.
    pub siblings: &'a [Uuid],
    pub rejects: Rejects,
    /// Whether a stored row that is newer by its stamps stays.
    pub precedence: Precedence,
}

impl PushTransaction<'_> {
    /// Has each statement planned for its values. A plan kept from the first batches, when the tables were small, would read
    /// whole tables for each later batch.
    pub(super) async fn plan_each_time(&self) -> Result<(), StoreFailure> {
        let statement = include_str!("../../../sql/statements/transaction/plan_each_time.sql");
        Ok(self.transaction.batch_execute(statement).await?)
    }

    /// Sets a lock timeout long enough for the pushes to one connection to wait for one another.
    pub(super) async fn raise_lock_timeout(&self) -> Result<(), StoreFailure> {
        let statement = include_str!("../../../sql/statements/transaction/wait_patiently.sql");
        Ok(self.transaction.batch_execute(statement).await?)
    }

    /// Locks the connection against removal during the push. A removal waits, and then erases these rows too.
    pub(super) async fn lock_connection(&self) -> Result<(), StoreFailure> {
        let statement = include_str!("../../../sql/statements/connections/hold.sql");
        let locked = self
            .transaction
            .query_opt(statement, &[&self.to.user, &self.to.connection])
            .await?;
        locked.map(|_| ()).ok_or(StoreFailure::Removed)
    }

    /// Notes on the connection that a push succeeded; `as_of` and freshness are read from there.
    pub(super) async fn mark_succeeded(&self) -> Result<(), StoreFailure> {
        let statement = include_str!("../../../sql/statements/connections/succeeded.sql");
        let updated = self
            .transaction
            .execute(statement, &[&self.to.user, &self.to.connection])
            .await?;
        Ok(expect_one("connections/succeeded", updated)?)
    }
}
