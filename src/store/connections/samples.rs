//! The connections that hold the sample household: told from all others by a mark of their own, never by their label.

use chrono::{DateTime, Utc};
use deadpool_postgres::{GenericClient, Transaction};
use sextant_actors::domain::{OPERATOR, Sector};
use tokio_postgres::Row;
use uuid::Uuid;

use super::Connection;
use crate::catalog::Table;
use crate::db::{ServicePool, StoreError, tx};
use crate::store::erase::{self, Reach};

const SAMPLES: &str = include_str!("../../../sql/statements/connections/samples.sql");
const LOCK_SAMPLES: &str = include_str!("../../../sql/statements/connections/lock_samples.sql");
const LOCK_CONNECTIONS: &str =
    include_str!("../../../sql/statements/connections/lock_sample_connections.sql");
const REMOVE: &str = include_str!("../../../sql/statements/connections/remove_several.sql");
const WAIT_PATIENTLY: &str = include_str!("../../../sql/statements/transaction/wait_patiently.sql");

/// What a removal took away.
#[derive(Debug, Default)]
pub struct Removed {
    pub connections: Vec<(Uuid, Sector)>,
    pub rows_deleted: u64,
}

/// Whether none is there; until the transaction ends, nobody else who asks here makes one.
///
/// # Errors
/// When the database fails.
pub async fn are_absent(transaction: &Transaction<'_>) -> Result<bool, StoreError> {
    transaction.query(LOCK_SAMPLES, &[&OPERATOR]).await?;
    Ok(found(transaction).await?.is_empty())
}

/// Makes one, inside a transaction that also fills it.
///
/// # Errors
/// When the database fails.
pub async fn create(
    transaction: &Transaction<'_>,
    id: Uuid,
    (label, table): (&str, &'static Table),
    now: DateTime<Utc>,
) -> Result<Connection, StoreError> {
    super::make(transaction, (id, label, table), None, now).await
}

/// One as it stands within the transaction.
///
/// # Errors
/// When the database fails, or it is not there.
pub async fn read(transaction: &Transaction<'_>, id: Uuid) -> Result<Connection, StoreError> {
    let found = super::one(transaction, super::READ, &[&OPERATOR, &id]).await?;
    found.ok_or(StoreError::UnexpectedRows {
        statement: "connections/read",
        expected: 1,
        found: 0,
    })
}

/// Those that are not removed, with their sectors.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(pool: &ServicePool) -> Result<Vec<(Uuid, Sector)>, StoreError> {
    let client = pool.get().await?;
    found(&client).await
}

async fn found(client: &impl GenericClient) -> Result<Vec<(Uuid, Sector)>, StoreError> {
    let statement = client.prepare_cached(SAMPLES).await?;
    named(&client.query(&statement, &[&OPERATOR]).await?)
}

fn named(rows: &[Row]) -> Result<Vec<(Uuid, Sector)>, StoreError> {
    let pairs = rows.iter().map(|row| {
        let sector = super::sector(row.try_get("sector")?)?;
        Ok((row.try_get("id")?, sector))
    });
    pairs.collect()
}

/// Removes all of them with their rows, in one transaction: what is made of several connections' rows is made anew once, of
/// what stays, so that no row comes again between two of them and is counted twice.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn remove(pool: &ServicePool, now: DateTime<Utc>) -> Result<Removed, StoreError> {
    tx(pool, "remove the sample", |transaction| {
        Box::pin(async move {
            transaction.batch_execute(WAIT_PATIENTLY).await?;
            let locked = transaction.query(LOCK_CONNECTIONS, &[&OPERATOR]).await?;
            let connections = named(&locked)?;
            if connections.is_empty() {
                return Ok(Removed::default());
            }
            let reach: Reach = connections.iter().copied().collect();
            transaction
                .execute(REMOVE, &[&OPERATOR, &reach.ids(), &now])
                .await?;
            let erased = erase::rows_of(&transaction, &reach).await?;
            Ok(Removed {
                connections,
                rows_deleted: erased.total(),
            })
        })
    })
    .await
}
