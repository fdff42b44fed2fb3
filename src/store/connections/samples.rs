//! The connections that hold the sample household: told from all others by a mark of their own, never by their label.

use chrono::{DateTime, Utc};
use deadpool_postgres::{GenericClient, Transaction};
use sextant_actors::domain::{OPERATOR, Sector};
use uuid::Uuid;

use super::Connection;
use crate::catalog::Table;
use crate::db::{ServicePool, StoreError};

const SAMPLES: &str = include_str!("../../../sql/statements/connections/samples.sql");
const LOCK_SAMPLES: &str = include_str!("../../../sql/statements/connections/lock_samples.sql");

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
    let rows = client.query(&statement, &[&OPERATOR]).await?;
    let pairs = rows.iter().map(|row| {
        let sector = super::sector(row.try_get("sector")?)?;
        Ok((row.try_get("id")?, sector))
    });
    pairs.collect()
}
