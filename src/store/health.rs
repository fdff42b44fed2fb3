//! Whether the database answers.

use crate::db::{ServicePool, StoreError};

const PING: &str = include_str!("../../sql/statements/service/ping.sql");

/// Asks the database for the least it can say.
///
/// # Errors
/// When it does not.
pub async fn ping(pool: &ServicePool) -> Result<(), StoreError> {
    let client = pool.get().await?;
    client.query_one(PING, &[]).await?;
    Ok(())
}
