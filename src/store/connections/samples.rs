//! The connections of the sample household. They are identified by a column of their own, never by their label.

use chrono::{DateTime, Utc};
use deadpool_postgres::{GenericClient, Transaction};
use sextant_actors::domain::{OPERATOR, Sector};
use tokio_postgres::Row;
use uuid::Uuid;

use super::{Connection, Holds};
use crate::catalog::Table;
use crate::db::{ServicePool, StoreError, columns, tx};
use crate::store::erase::{self, Reach};

const SAMPLES: &str = include_str!("../../../sql/statements/connections/samples.sql");
const LOCK_SAMPLES: &str = include_str!("../../../sql/statements/connections/lock_samples.sql");
const LOCK_CONNECTIONS: &str =
    include_str!("../../../sql/statements/connections/lock_sample_connections.sql");
const REMOVE: &str = include_str!("../../../sql/statements/connections/remove_several.sql");
const WAIT_PATIENTLY: &str = include_str!("../../../sql/statements/transaction/wait_patiently.sql");

/// The result of removing the sample.
#[derive(Debug, Default)]
pub(crate) struct RemovedSamples {
    pub connections: Vec<(Uuid, Sector)>,
    pub rows_deleted: u64,
}

/// Whether there is none. Locks, so that no other caller of this creates one until the transaction ends.
///
/// # Errors
/// When the database fails.
pub(crate) async fn are_absent(transaction: &Transaction<'_>) -> Result<bool, StoreError> {
    transaction.query(LOCK_SAMPLES, &[&OPERATOR]).await?;
    Ok(find(transaction).await?.is_empty())
}

/// Creates one, within a transaction that also stores its rows.
///
/// # Errors
/// When the database fails.
pub(crate) async fn create(
    transaction: &Transaction<'_>,
    id: Uuid,
    (label, table): (&str, &'static Table),
    now: DateTime<Utc>,
) -> Result<Connection, StoreError> {
    super::insert(transaction, (id, label, table), Holds::Sample, now).await
}

/// Reads one within the transaction.
///
/// # Errors
/// When the database fails, or there is no such connection.
pub(crate) async fn read(
    transaction: &Transaction<'_>,
    id: Uuid,
) -> Result<Connection, StoreError> {
    let found = super::one(transaction, super::LIST, &[&OPERATOR, &Some(id)]).await?;
    found.ok_or(StoreError::UnexpectedRows {
        statement: "connections/list",
        expected: 1,
        found: 0,
    })
}

/// The connections that are not removed, with their sectors.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn list(pool: &ServicePool) -> Result<Vec<(Uuid, Sector)>, StoreError> {
    let client = pool.get().await?;
    find(&client).await
}

async fn find(client: &impl GenericClient) -> Result<Vec<(Uuid, Sector)>, StoreError> {
    let statement = client.prepare_cached(SAMPLES).await?;
    ids_and_sectors(&client.query(&statement, &[&OPERATOR]).await?)
}

fn ids_and_sectors(rows: &[Row]) -> Result<Vec<(Uuid, Sector)>, StoreError> {
    let pairs = rows.iter().map(|row| {
        let (id, sector) = columns("connections/samples", row)?;
        Ok((id, super::sector(sector)?))
    });
    pairs.collect()
}

/// Removes all of them with their rows, in one transaction. So rows that are derived from several connections are derived anew
/// once, from those that remain, and no row is counted as deleted twice.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn remove(
    pool: &ServicePool,
    now: DateTime<Utc>,
) -> Result<RemovedSamples, StoreError> {
    tx(pool, "remove the sample", |transaction| {
        Box::pin(async move {
            transaction.batch_execute(WAIT_PATIENTLY).await?;
            let locked = transaction.query(LOCK_CONNECTIONS, &[&OPERATOR]).await?;
            let connections = ids_and_sectors(&locked)?;
            if connections.is_empty() {
                return Ok(RemovedSamples::default());
            }
            let reach: Reach = connections.iter().copied().collect();
            transaction
                .execute(REMOVE, &[&OPERATOR, &reach.ids(), &now])
                .await?;
            let erased = erase::erase_rows(&transaction, &reach).await?;
            Ok(RemovedSamples {
                connections,
                rows_deleted: erased.total(),
            })
        })
    })
    .await
}
