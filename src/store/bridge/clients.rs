//! The table `bridge_clients`.

use chrono::{DateTime, Utc};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::types::ToSql;

use crate::db::{ServicePool, StoreError, columns, expect_one, tx};

const FORGET_UNUSED: &str =
    include_str!("../../../sql/statements/bridge_clients/forget_unused.sql");
const MAKE_ROOM: &str = include_str!("../../../sql/statements/bridge_clients/make_room.sql");
const INSERT: &str = include_str!("../../../sql/statements/bridge_clients/insert.sql");
const READ: &str = include_str!("../../../sql/statements/bridge_clients/read.sql");
const FORGET_IDLE: &str = include_str!("../../../sql/statements/bridge_clients/forget_idle.sql");

/// A client as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredClient {
    pub id: String,
    pub name: Option<String>,
    pub redirect_uris: Vec<String>,
}

/// Stores a new client at `now`. Of those that never got a token, the ones registered before `unused_since` go, and the oldest beyond
/// `unused_max`.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn register(
    pool: &ServicePool,
    client: &StoredClient,
    (now, unused_since): (DateTime<Utc>, DateTime<Utc>),
    unused_max: i64,
) -> Result<(), StoreError> {
    tx(pool, "register a client", |transaction| {
        Box::pin(async move {
            let StoredClient {
                id,
                name,
                redirect_uris,
            } = client;
            transaction
                .execute(FORGET_UNUSED, &[&OPERATOR, &unused_since])
                .await?;
            let values: [&(dyn ToSql + Sync); 5] = [&OPERATOR, id, name, redirect_uris, &now];
            let stored = transaction.execute(INSERT, &values).await?;
            expect_one("bridge_clients/insert", stored)?;
            transaction
                .execute(MAKE_ROOM, &[&OPERATOR, &unused_max])
                .await?;
            Ok(())
        })
    })
    .await
}

/// The client of this id, unless it was registered before `unused_since` and never got a token.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn find(
    pool: &ServicePool,
    id: &str,
    unused_since: DateTime<Utc>,
) -> Result<Option<StoredClient>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(READ).await?;
    let row = client
        .query_opt(&statement, &[&OPERATOR, &id, &unused_since])
        .await?;
    let Some(row) = row else { return Ok(None) };
    let (name, redirect_uris) = columns("bridge_clients/read", &row)?;
    Ok(Some(StoredClient {
        id: id.to_owned(),
        name,
        redirect_uris,
    }))
}

/// Forgets clients that never got a token since `unused_since`, and those that got none since `idle_since` and have no sign-in; how many.
///
/// # Errors
/// When the database cannot be written.
pub(crate) async fn forget(
    pool: &ServicePool,
    unused_since: DateTime<Utc>,
    idle_since: DateTime<Utc>,
) -> Result<u64, StoreError> {
    tx(pool, "forget clients", |transaction| {
        Box::pin(async move {
            let forget = async |statement, since: &DateTime<Utc>| {
                transaction.execute(statement, &[&OPERATOR, since]).await
            };
            let unused = forget(FORGET_UNUSED, &unused_since).await?;
            Ok(unused + forget(FORGET_IDLE, &idle_since).await?)
        })
    })
    .await
}
