//! Removes a connection.

use chrono::{DateTime, Utc};
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use super::Connection;
use crate::db::{ServicePool, StoreError, tx};
use crate::store::erase::{self, Reach};
use crate::store::sign_ins;

const LOCK: &str = include_str!("../../../sql/statements/connections/lock.sql");
/// A push locks the connection until it is stored, which may take long.
const WAIT_PATIENTLY: &str = include_str!("../../../sql/statements/transaction/wait_patiently.sql");
const REMOVE: &str = include_str!("../../../sql/statements/connections/remove.sql");

/// Whether the rows of a removed connection are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemovedRows {
    Keep,
    Delete,
}

/// The result of a removal.
#[derive(Clone, Debug)]
pub struct Removed {
    pub connection: Connection,
    /// How many rows were deleted with it.
    pub rows_deleted: u64,
}

/// Removes the connection: deletes its secret, with the last connection of a sign-in that too, and its rows too with [`RemovedRows::Delete`], in one transaction. Returns `None` if
/// there is no such connection.
///
/// The connection's row is locked first: a push under way holds a lock on it, so it is waited for and its rows are erased too.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn remove(
    pool: &ServicePool,
    id: Uuid,
    rows: RemovedRows,
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
            if let Some(sign_in) = connection.sign_in {
                sign_ins::remove_if_unused(&transaction, sign_in).await?;
            }
            // Nobody can ask for them any more.
            transaction
                .execute(erase::FORGET_PUSHES, &[&OPERATOR, &vec![id]])
                .await?;
            let rows_deleted = match rows {
                RemovedRows::Keep => 0,
                RemovedRows::Delete => {
                    let reach = Reach::from_iter([(id, connection.sector)]);
                    erase::erase_rows(&transaction, &reach).await?.total()
                }
            };
            Ok(Some(Removed {
                connection,
                rows_deleted,
            }))
        })
    })
    .await
}
