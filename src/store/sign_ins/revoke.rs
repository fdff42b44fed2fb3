//! A sign-in is ended here: its secret goes, its connections wait for a person.

use chrono::{DateTime, Utc};
use serde_json::json;
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use super::{SignIn, read_within, remove_if_unused};
use crate::db::{ServicePool, StoreError, tx};

/// A page that is being stored holds its connection.
const WAIT_PATIENTLY: &str = include_str!("../../../sql/statements/transaction/wait_patiently.sql");
const LOCK_CONNECTIONS: &str =
    include_str!("../../../sql/statements/sign_ins/lock_connections.sql");
const REVOKE: &str = include_str!("../../../sql/statements/sign_ins/revoke.sql");
const HALT: &str = include_str!("../../../sql/statements/sign_ins/halt.sql");

/// Deletes the secret; the connections stay, and need a sign-in, which `again` tells the person to make. What is being stored of them is
/// waited for, so that nothing more is afterwards. A sign-in without connections goes whole. `None` if there is no such sign-in.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn revoke(
    pool: &ServicePool,
    id: Uuid,
    again: &str,
    now: DateTime<Utc>,
) -> Result<Option<SignIn>, StoreError> {
    tx(pool, "revoke a sign-in", |transaction| {
        Box::pin(async move {
            transaction.batch_execute(WAIT_PATIENTLY).await?;
            transaction
                .query(LOCK_CONNECTIONS, &[&OPERATOR, &id])
                .await?;
            transaction.execute(REVOKE, &[&OPERATOR, &id, &now]).await?;
            let problem = json!({
                "code": "revoked",
                "message": format!("the credential was revoked here; {again}"),
                "since": now,
                "count": 1,
            });
            transaction
                .execute(HALT, &[&OPERATOR, &id, &problem, &now])
                .await?;
            let revoked = read_within(&*transaction, id).await?;
            remove_if_unused(&transaction, id).await?;
            Ok(revoked)
        })
    })
    .await
}
