//! One row of the audit log.

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;
use tokio_postgres::Row;
use tokio_postgres::types::Json;

use super::Position;
use crate::db::StoreError;

/// An audit row under the names of its columns: all columns but `user_id` (r044, r102).
#[derive(Clone, Debug)]
pub struct AuditRow {
    pub id: i64,
    pub agent_id: Option<String>,
    pub tool: String,
    pub sector: Option<String>,
    pub decision: String,
    pub deny_reason: Option<String>,
    /// The JSON text as stored, which is not parsed and written again (r046).
    pub args: Option<Box<RawValue>>,
    pub result_count: Option<i32>,
    pub outcome: Option<String>,
    pub request_id: Option<String>,
    pub created_at: DateTime<Utc>,
}

impl AuditRow {
    pub(super) fn of(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get("id")?,
            agent_id: row.try_get("agent_id")?,
            tool: row.try_get("tool")?,
            sector: row.try_get("sector")?,
            decision: row.try_get("decision")?,
            deny_reason: row.try_get("deny_reason")?,
            args: args(row)?,
            result_count: row.try_get("result_count")?,
            outcome: row.try_get("outcome")?,
            request_id: row.try_get("request_id")?,
            created_at: row.try_get("created_at")?,
        })
    }

    /// The position of this row.
    pub const fn position(&self) -> Position {
        Position {
            created_at: self.created_at,
            id: self.id,
        }
    }
}

fn args(row: &Row) -> Result<Option<Box<RawValue>>, StoreError> {
    let recorded: Option<Json<Box<RawValue>>> = row.try_get("args")?;
    Ok(recorded.map(|Json(text)| text))
}
