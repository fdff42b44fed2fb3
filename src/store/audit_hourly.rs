//! The record counted by the hour: what needs no scan of the record itself.

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use crate::db::{ServicePool, StoreError};

const LAST_CALLS: &str = include_str!("../../sql/statements/audit_hourly/last_calls.sql");

/// The statements, for the test that prepares each against the schema.
pub const STATEMENTS: [&str; 1] = [LAST_CALLS];

/// When each of `agents` was last recorded; one that never was is left out.
///
/// # Errors
/// When the database cannot be read.
pub async fn last_calls(
    pool: &ServicePool,
    agents: Vec<String>,
) -> Result<HashMap<String, DateTime<Utc>>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LAST_CALLS).await?;
    let rows = client.query(&statement, &[&agents]).await?;
    rows.iter()
        .map(|row| Ok((row.try_get("agent_id")?, row.try_get("last_at")?)))
        .collect()
}
