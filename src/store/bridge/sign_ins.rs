//! The table `bridge_sign_ins`.

use chrono::{DateTime, Utc};
use sextant_actors::domain::{Digest, OPERATOR};
use sextant_actors::grants::IssuedAccess;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::digest;
use crate::db::{Cells, InTx, ServicePool, StoreError, column, columns, expect_one, tx};

const MARK_USED: &str = include_str!("../../../sql/statements/bridge_clients/mark_used.sql");
const DELETE_CLIENTS: &str = include_str!("../../../sql/statements/bridge_clients/delete_all.sql");
const INSERT: &str = include_str!("../../../sql/statements/bridge_sign_ins/insert.sql");
const MAKE_ROOM: &str = include_str!("../../../sql/statements/bridge_sign_ins/make_room.sql");
const READ_FOR_UPDATE: &str =
    include_str!("../../../sql/statements/bridge_sign_ins/read_for_update.sql");
const ROTATE: &str = include_str!("../../../sql/statements/bridge_sign_ins/rotate.sql");
const DELETE: &str = include_str!("../../../sql/statements/bridge_sign_ins/delete.sql");
const DELETE_ALL: &str = include_str!("../../../sql/statements/bridge_sign_ins/delete_all.sql");
const FORGET_ENDED: &str = include_str!("../../../sql/statements/bridge_sign_ins/forget_ended.sql");
const ACCESS: &str = include_str!("../../../sql/statements/bridge_sign_ins/access.sql");
const LIST: &str = include_str!("../../../sql/statements/bridge_sign_ins/list.sql");

/// A client that signed in just now, and the hashes of what it is given.
pub(crate) struct NewBridgeSignIn {
    pub id: Uuid,
    pub client_id: String,
    pub client_name: Option<String>,
    pub now: DateTime<Utc>,
    pub access: IssuedAccess,
    pub refresh: Digest,
}

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

/// Who has signed in, as the Console shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedBridgeSignIn {
    pub agent: String,
    pub client_id: String,
    pub client_name: Option<String>,
    pub created_at: DateTime<Utc>,
    pub used_at: DateTime<Utc>,
}

/// Stores a new sign-in. Of those with the same key, the ones that were not used for the longest time go beyond `per_key_max`; returns
/// their access tokens.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn create(
    pool: &ServicePool,
    new: &NewBridgeSignIn,
    per_key_max: i64,
) -> Result<Vec<Digest>, StoreError> {
    tx(pool, "sign a client in", |transaction| {
        Box::pin(async move {
            let (access, key) = (new.access.token, new.access.key);
            let values: [&(dyn ToSql + Sync); 9] = [
                &OPERATOR,
                &new.id,
                &new.client_id,
                &new.client_name,
                &key.as_bytes().as_slice(),
                &new.now,
                &access.as_bytes().as_slice(),
                &new.access.expires_at,
                &new.refresh.as_bytes().as_slice(),
            ];
            let stored = transaction.execute(INSERT, &values).await?;
            expect_one("bridge_sign_ins/insert", stored)?;
            // A client that is known by its document is in no table.
            transaction
                .execute(MARK_USED, &[&OPERATOR, &new.client_id, &new.now])
                .await?;
            let room = [
                &OPERATOR as &(dyn ToSql + Sync),
                &key.as_bytes().as_slice(),
                &per_key_max,
            ];
            access_hashes(
                "bridge_sign_ins/make_room",
                &transaction.query(MAKE_ROOM, &room).await?,
            )
        })
    })
    .await
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
            let stored = stored(&row)?;
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

/// Ends a sign-in; returns its access token, if there was one.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn end(pool: &ServicePool, id: Uuid) -> Result<Vec<Digest>, StoreError> {
    tx(pool, "end a sign-in", |transaction| {
        Box::pin(async move {
            let rows = transaction.query(DELETE, &[&OPERATOR, &id]).await?;
            access_hashes("bridge_sign_ins/delete", &rows)
        })
    })
    .await
}

/// Ends every sign-in and forgets every client, inside the transaction that changes the public address; returns their access tokens.
///
/// # Errors
/// When the database cannot be written.
pub(crate) async fn end_all(transaction: &InTx<'_, '_>) -> Result<Vec<Digest>, StoreError> {
    let rows = transaction.query(DELETE_ALL, &[&OPERATOR]).await?;
    transaction.execute(DELETE_CLIENTS, &[&OPERATOR]).await?;
    access_hashes("bridge_sign_ins/delete_all", &rows)
}

/// Forgets sign-ins that were not used since `idle_since`, and those whose key opens nothing any more; returns their access tokens.
///
/// # Errors
/// When the database cannot be written.
pub(crate) async fn forget_ended(
    pool: &ServicePool,
    idle_since: DateTime<Utc>,
) -> Result<Vec<Digest>, StoreError> {
    tx(pool, "forget ended sign-ins", |transaction| {
        Box::pin(async move {
            let rows = transaction
                .query(FORGET_ENDED, &[&OPERATOR, &idle_since])
                .await?;
            access_hashes("bridge_sign_ins/forget_ended", &rows)
        })
    })
    .await
}

/// The access tokens of all sign-ins.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn access_tokens(pool: &ServicePool) -> Result<Vec<IssuedAccess>, StoreError> {
    let client = pool.get().await?;
    let rows = client.query(ACCESS, &[&OPERATOR]).await?;
    let access = rows.iter().map(|row| {
        let (token, key, expires_at): (&[u8], &[u8], _) = columns("bridge_sign_ins/access", row)?;
        Ok(IssuedAccess {
            token: digest(token)?,
            key: digest(key)?,
            expires_at,
        })
    });
    access.collect()
}

/// The sign-ins whose keys open something, the oldest first.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn list(pool: &ServicePool) -> Result<Vec<ListedBridgeSignIn>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LIST).await?;
    let rows = client.query(&statement, &[&OPERATOR]).await?;
    let listed = rows.iter().map(|row| {
        let (agent, client_id, client_name, created_at, used_at) =
            columns("bridge_sign_ins/list", row)?;
        Ok(ListedBridgeSignIn {
            agent,
            client_id,
            client_name,
            created_at,
            used_at,
        })
    });
    listed.collect()
}

fn access_hashes(statement: &'static str, rows: &[Row]) -> Result<Vec<Digest>, StoreError> {
    let hashes = rows.iter().map(|row| digest(column(statement, row)?));
    hashes.collect()
}

fn stored(row: &Row) -> Result<StoredBridgeSignIn, StoreError> {
    let mut cells = Cells::of("bridge_sign_ins/read_for_update", row);
    let client_id = cells.take()?;
    let key = digest(cells.take()?)?;
    let used_at = cells.take()?;
    let access = IssuedAccess {
        token: digest(cells.take()?)?,
        key,
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
