use chrono::{DateTime, Utc};
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use super::Connection;
use crate::db::{ServicePool, StoreError, tx};
use crate::store::erase::{self, Reach};

const LOCK: &str = include_str!("../../../sql/statements/connections/lock.sql");
/// A push that is under way holds the connection until it is stored.
const WAIT_PATIENTLY: &str = include_str!("../../../sql/statements/transaction/wait_patiently.sql");
const REMOVE: &str = include_str!("../../../sql/statements/connections/remove.sql");
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
    /// How many rows went with it.
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
                Rows::Delete => {
                    let reach = Reach::from_iter([(id, connection.sector)]);
                    erase::rows_of(&transaction, &reach).await?.total()
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
