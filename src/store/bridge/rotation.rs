//! The table `bridge_sign_ins`: the pair of tokens of a sign-in, read, judged and rotated in one transaction.

use chrono::{DateTime, Utc};
use sextant_actors::domain::{Digest, OPERATOR};
use sextant_actors::grants::IssuedAccess;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::digest;
use crate::db::{Cells, InTx, ServicePool, StoreError, expect_one, tx};

const MARK_USED: &str = include_str!("../../../sql/statements/bridge_clients/mark_used.sql");
const READ_FOR_UPDATE: &str =
    include_str!("../../../sql/statements/bridge_sign_ins/read_for_update.sql");
const ROTATE: &str = include_str!("../../../sql/statements/bridge_sign_ins/rotate.sql");
const DELETE: &str = include_str!("../../../sql/statements/bridge_sign_ins/delete.sql");

/// A sign-in as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredBridgeSignIn {
    pub client_id: String,
    pub used_at: DateTime<Utc>,
    pub access: IssuedAccess,
    pub refresh: Digest,
    pub rotation: Option<StoredRotation>,
}

/// The last rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredRotation {
    /// The refresh token that it took.
    pub spent: Digest,
    /// What the present pair was derived with.
    pub seed: [u8; 32],
    pub at: DateTime<Utc>,
}

/// What a rotation writes.
pub(crate) struct NewRotation {
    pub seed: [u8; 32],
    pub at: DateTime<Utc>,
    pub access: IssuedAccess,
    pub refresh: Digest,
}

/// What becomes of a sign-in whose refresh token was presented.
pub(crate) enum RefreshAct {
    Rotate(NewRotation),
    Leave,
    Delete,
}

/// Reads a sign-in, has `judge` say what becomes of it and what is told of it, and does that. No other refresh of it runs meanwhile. `None`
/// if there is no such sign-in.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn refresh<T: Send>(
    pool: &ServicePool,
    id: Uuid,
    judge: impl Fn(&StoredBridgeSignIn) -> (RefreshAct, T) + Send + Sync,
) -> Result<Option<T>, StoreError> {
    let judge = &judge;
    tx(pool, "refresh a sign-in", |transaction| {
        Box::pin(async move {
            let row = transaction
                .query_opt(READ_FOR_UPDATE, &[&OPERATOR, &id])
                .await?;
            let Some(row) = row else { return Ok(None) };
            let stored = stored(id, &row)?;
            let (act, told) = judge(&stored);
            match act {
                RefreshAct::Leave => {}
                RefreshAct::Delete => {
                    transaction.query(DELETE, &[&OPERATOR, &id]).await?;
                }
                RefreshAct::Rotate(new) => {
                    rotate(&transaction, id, &new).await?;
                    let used = [&OPERATOR as &(dyn ToSql + Sync), &stored.client_id, &new.at];
                    transaction.execute(MARK_USED, &used).await?;
                }
            }
            Ok(Some(told))
        })
    })
    .await
}

async fn rotate(transaction: &InTx<'_, '_>, id: Uuid, new: &NewRotation) -> Result<(), StoreError> {
    let values: [&(dyn ToSql + Sync); 7] = [
        &OPERATOR,
        &id,
        &new.access.token.as_bytes().as_slice(),
        &new.access.expires_at,
        &new.refresh.as_bytes().as_slice(),
        &new.seed.as_slice(),
        &new.at,
    ];
    let rotated = transaction.execute(ROTATE, &values).await?;
    expect_one("bridge_sign_ins/rotate", rotated)
}

fn stored(id: Uuid, row: &Row) -> Result<StoredBridgeSignIn, StoreError> {
    let mut cells = Cells::of("bridge_sign_ins/read_for_update", row);
    let client_id = cells.take()?;
    let key = digest(cells.take()?)?;
    let used_at = cells.take()?;
    let access = IssuedAccess {
        token: digest(cells.take()?)?,
        key,
        sign_in: id,
        expires_at: cells.take()?,
    };
    let refresh = digest(cells.take()?)?;
    let (spent, seed): (Option<&[u8]>, Option<&[u8]>) = (cells.take()?, cells.take()?);
    let at: Option<DateTime<Utc>> = cells.take()?;
    cells.end()?;
    let rotation = match (spent, seed, at) {
        (Some(spent), Some(seed), Some(at)) => Some(StoredRotation {
            spent: digest(spent)?,
            seed: *digest(seed)?.as_bytes(),
            at,
        }),
        _ => None,
    };
    Ok(StoredBridgeSignIn {
        client_id,
        used_at,
        access,
        refresh,
        rotation,
    })
}
