use chrono::{DateTime, Utc};
use deadpool_postgres::Transaction;
use sextant_actors::domain::{OPERATOR, Sector};
use uuid::Uuid;

use super::Connection;
use crate::db::{ServicePool, StoreError, tx};
use crate::derived;
use crate::query::compile::erase;

const LOCK: &str = include_str!("../../../sql/statements/connections/lock.sql");
/// A push that is under way holds the connection until it is stored.
const WAIT_PATIENTLY: &str = include_str!("../../../sql/statements/transaction/wait_patiently.sql");
const REMOVE: &str = include_str!("../../../sql/statements/connections/remove.sql");
/// What is erased leaves no tombstone that a change cursor could tell.
const BEGIN_GENERATION: &str = include_str!("../../../sql/statements/generations/begin.sql");
const ERASE_PENDING_REFERENCES: &str =
    include_str!("../../../sql/statements/pending_references/erase_connection.sql");
const ERASE_SYNC_CURSORS: &str =
    include_str!("../../../sql/statements/sync_cursors/erase_connection.sql");

/// What becomes of a removed connection's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    Keep,
    Delete,
}

/// What a removal did.
#[derive(Clone, Debug)]
pub struct Removed {
    pub connection: Connection,
    /// How many rows of the sector's tables went with it.
    pub rows_deleted: u64,
}

/// Removes the connection: its secret goes, and its rows too if asked, in one transaction. `None`: there is none.
///
/// The connection's row is locked first: a push under way holds it, so that it is waited for and its rows are erased too.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn remove(
    pool: &ServicePool,
    id: Uuid,
    rows: Rows,
    now: DateTime<Utc>,
) -> Result<Option<Removed>, StoreError> {
    tx(pool, "remove a connection", |transaction| {
        Box::pin(async move {
            transaction.batch_execute(WAIT_PATIENTLY).await?;
            transaction.query_opt(LOCK, &[&OPERATOR, &id]).await?;
            let marked = super::one(&*transaction, REMOVE, &[&OPERATOR, &id, &now]).await?;
            let Some(connection) = marked else {
                return Ok(None);
            };
            let rows_deleted = match rows {
                Rows::Keep => 0,
                Rows::Delete => erase(&transaction, connection.sector, id).await?,
            };
            Ok(Some(Removed {
                connection,
                rows_deleted,
            }))
        })
    })
    .await
}

async fn erase(transaction: &Transaction<'_>, sector: Sector, id: Uuid) -> Result<u64, StoreError> {
    transaction.execute(BEGIN_GENERATION, &[&OPERATOR]).await?;
    let mut deleted = 0;
    for statement in erase::of_connection(sector) {
        deleted += transaction.execute(&statement, &[&OPERATOR, &id]).await?;
    }
    for statement in erase::merged(sector) {
        transaction.execute(&statement, &[&OPERATOR, &id]).await?;
    }
    for statement in [ERASE_PENDING_REFERENCES, ERASE_SYNC_CURSORS] {
        transaction.execute(statement, &[&OPERATOR, &id]).await?;
    }
    derived::settle(transaction, OPERATOR, sector).await?;
    Ok(deleted)
}
