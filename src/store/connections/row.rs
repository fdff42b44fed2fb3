//! One row of the table `connections`.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_actors::domain::{ConnectionState, Sector};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::db::StoreError;

/// A connection as the Console reads it. It says whether there is a secret, and never contains it.
#[derive(Clone, Debug)]
pub struct Connection {
    pub id: Uuid,
    pub provider: String,
    pub label: String,
    pub sector: Sector,
    /// The qualified table, `sector.table`.
    pub target: String,
    pub sign_in: Option<Uuid>,
    pub state: ConnectionState,
    /// One word of the health enum (architecture, Database).
    pub health: String,
    pub problem: Option<Value>,
    pub interval_s: Option<i32>,
    pub window_days: Option<i32>,
    pub retry_at: Option<DateTime<Utc>>,
    pub last_success_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub has_secret: bool,
    /// It belongs to the sample household.
    pub is_sample: bool,
}

impl Connection {
    pub(super) fn of(row: &Row) -> Result<Self, StoreError> {
        let paused_at: Option<DateTime<Utc>> = row.try_get("paused_at")?;
        Ok(Self {
            id: row.try_get("id")?,
            provider: row.try_get("provider")?,
            label: row.try_get("label")?,
            sector: super::sector(row.try_get("sector")?)?,
            target: row.try_get("target_table")?,
            sign_in: row.try_get("sign_in_id")?,
            state: state(paused_at),
            health: row.try_get("health")?,
            problem: row.try_get("problem")?,
            interval_s: row.try_get("interval_s")?,
            window_days: row.try_get("window_days")?,
            retry_at: row.try_get("retry_at")?,
            last_success_at: row.try_get("last_success_at")?,
            created_at: row.try_get("created_at")?,
            has_secret: row.try_get("has_secret")?,
            is_sample: row.try_get("is_sample")?,
        })
    }
}

/// The state by `paused_at`.
pub(super) fn state(paused_at: Option<DateTime<Utc>>) -> ConnectionState {
    match paused_at {
        Some(_) => ConnectionState::Paused,
        None => ConnectionState::Active,
    }
}
