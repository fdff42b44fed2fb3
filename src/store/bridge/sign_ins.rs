//! The table `bridge_sign_ins`: sign-ins as they are made and ended. How their tokens rotate stands beside it.

use chrono::{DateTime, Utc};
use sextant_actors::domain::{Digest, OPERATOR};
use sextant_actors::grants::IssuedAccess;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::digest;
use crate::db::{InTx, ServicePool, StoreError, column, columns, expect_one, tx};

const MARK_USED: &str = include_str!("../../../sql/statements/bridge_clients/mark_used.sql");
const DELETE_CLIENTS: &str = include_str!("../../../sql/statements/bridge_clients/delete_all.sql");
const INSERT: &str = include_str!("../../../sql/statements/bridge_sign_ins/insert.sql");
const MAKE_ROOM: &str = include_str!("../../../sql/statements/bridge_sign_ins/make_room.sql");
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
        let (sign_in, token, key, expires_at): (_, &[u8], &[u8], _) =
            columns("bridge_sign_ins/access", row)?;
        Ok(IssuedAccess {
            token: digest(token)?,
            key: digest(key)?,
            sign_in,
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
