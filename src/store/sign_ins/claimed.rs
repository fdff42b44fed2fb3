//! A credential that is given once: kept before anything is tried with it, and without connections until that went well.

use chrono::{DateTime, Utc};
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use super::establish::{NewSignIn, SignInStoreError, claim, keep};
use crate::db::{ServicePool, expect_one, tx};
use crate::sealing::SealingTurn;

const AWAIT: &str = include_str!("../../../sql/statements/sign_ins/await_connections.sql");

/// Keeps a credential as a sign-in that is to be completed; answers its id.
///
/// # Errors
/// When it cannot be sealed, or the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn keep_claimed(
    pool: &ServicePool,
    turn: &SealingTurn,
    new: &NewSignIn,
    now: DateTime<Utc>,
) -> Result<Uuid, SignInStoreError> {
    tx(pool, "keep what was claimed", |transaction| {
        Box::pin(async move {
            let account = (&*new.identity, &*new.account);
            let id = claim(&transaction, (new.id, new.provider), account, now).await?;
            keep(&transaction, turn, id, (&new.secret, new.ends_at), now).await?;
            let waits = transaction.execute(AWAIT, &[&OPERATOR, &id]).await?;
            expect_one("sign_ins/await_connections", waits)?;
            Ok(id)
        })
    })
    .await
}
