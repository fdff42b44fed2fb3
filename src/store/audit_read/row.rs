//! One row of the audit log.

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;
use tokio_postgres::types::Json;

use super::Position;
use crate::db::{Cells, StoreError};

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
    /// Takes the columns of a row from its cells.
    pub(super) fn take(cells: &mut Cells<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            id: cells.named("id")?,
            agent_id: cells.named("agent_id")?,
            tool: cells.named("tool")?,
            sector: cells.named("sector")?,
            decision: cells.named("decision")?,
            deny_reason: cells.named("deny_reason")?,
            args: args(cells)?,
            result_count: cells.named("result_count")?,
            outcome: cells.named("outcome")?,
            request_id: cells.named("request_id")?,
            created_at: cells.named("created_at")?,
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

fn args(cells: &mut Cells<'_>) -> Result<Option<Box<RawValue>>, StoreError> {
    let recorded: Option<Json<Box<RawValue>>> = cells.named("args")?;
    Ok(recorded.map(|Json(text)| text))
}
