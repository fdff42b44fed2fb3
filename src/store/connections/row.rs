//! One row of the table `connections`.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sextant_actors::domain::{ConnectionState, Sector};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::db::{Cells, StoreError};

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
    /// When the credential or consent behind it ends by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whose its sign-in is, in the provider's words.
    pub account: Option<String>,
}

impl Connection {
    /// Reads a row of the statements of this table that return whole connections; their columns are the same.
    pub(super) fn of(row: &Row) -> Result<Self, StoreError> {
        let mut cells = Cells::of("connections/read", row);
        let connection = Self {
            id: cells.named("id")?,
            provider: cells.named("provider")?,
            label: cells.named("label")?,
            sector: super::sector(cells.named("sector")?)?,
            target: cells.named("target_table")?,
            sign_in: cells.named("sign_in_id")?,
            state: state(cells.named("paused_at")?),
            health: cells.named("health")?,
            problem: cells.named("problem")?,
            interval_s: cells.named("interval_s")?,
            window_days: cells.named("window_days")?,
            retry_at: cells.named("retry_at")?,
            last_success_at: cells.named("last_success_at")?,
            created_at: cells.named("created_at")?,
            has_secret: cells.named("has_secret")?,
            is_sample: cells.named("is_sample")?,
            expires_at: cells.named("expires_at")?,
            account: cells.named("account")?,
        };
        cells.end()?;
        Ok(connection)
    }
}

/// The state by `paused_at`.
pub(super) fn state(paused_at: Option<DateTime<Utc>>) -> ConnectionState {
    match paused_at {
        Some(_) => ConnectionState::Paused,
        None => ConnectionState::Active,
    }
}
