use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::filter::{DecisionWord, OutcomeWord};
use crate::http::sector_name::SectorName;
use crate::store::audit_read::AuditRow;

/// A row of the audit log under its public names: all columns but `user_id` (r044, r102).
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RowView {
    /// As text: a bigint does not fit a JavaScript number.
    id: String,
    agent_id: Option<String>,
    tool: String,
    #[schemars(with = "Option<SectorName>")]
    sector: Option<String>,
    #[schemars(with = "DecisionWord")]
    decision: String,
    deny_reason: Option<String>,
    /// The text that the database has, so that nothing of it is written anew (r046).
    #[schemars(with = "Value")]
    args: Option<Box<RawValue>>,
    result_count: Option<i32>,
    #[schemars(with = "Option<OutcomeWord>")]
    outcome: Option<String>,
    request_id: Option<String>,
    created_at: DateTime<Utc>,
}

impl From<AuditRow> for RowView {
    fn from(row: AuditRow) -> Self {
        Self {
            id: row.id.to_string(),
            agent_id: row.agent_id,
            tool: row.tool,
            sector: row.sector,
            decision: row.decision,
            deny_reason: row.deny_reason,
            args: row.args,
            result_count: row.result_count,
            outcome: row.outcome,
            request_id: row.request_id,
            created_at: row.created_at,
        }
    }
}
