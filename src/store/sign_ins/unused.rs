//! The last connection of a sign-in takes it with it, its secret too.

use deadpool_postgres::Transaction;
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use crate::db::StoreError;

const LOCK: &str = include_str!("../../../sql/statements/sign_ins/lock_last.sql");
const LET_GO: &str = include_str!("../../../sql/statements/sign_ins/let_go.sql");
const REMOVE_UNUSED: &str = include_str!("../../../sql/statements/sign_ins/remove_unused.sql");

/// Deletes the sign-in unless a connection uses it, within the transaction that removed one. Two that remove the last two connections
/// wait for each other here, so that the later one sees that none is left.
pub(in crate::store) async fn remove_if_unused(
    transaction: &Transaction<'_>,
    id: Uuid,
) -> Result<(), StoreError> {
    transaction.query_opt(LOCK, &[&OPERATOR, &id]).await?;
    transaction.execute(LET_GO, &[&OPERATOR, &id]).await?;
    transaction
        .execute(REMOVE_UNUSED, &[&OPERATOR, &id])
        .await?;
    Ok(())
}
