//! An audit row without its id and stamp, which the rules cannot predict.

use serde_json::Value;
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Client;
use uuid::Uuid;

/// One audit row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub user: Option<Uuid>,
    pub agent: Option<String>,
    pub tool: String,
    pub sector: Option<String>,
    pub decision: String,
    pub deny_reason: Option<String>,
    pub args: Option<Value>,
    pub count: Option<i32>,
    pub outcome: Option<String>,
    pub request: Option<String>,
}

impl Row {
    /// The row of a refusal for an unknown caller.
    pub fn refused(tool: &str, reason: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            decision: "deny".to_owned(),
            deny_reason: Some(reason.to_owned()),
            ..Self::default()
        }
    }

    /// The row of a request on the operator's data that failed.
    pub fn failed(tool: &str, sector: Option<&str>) -> Self {
        Self {
            user: Some(OPERATOR),
            tool: tool.to_owned(),
            sector: sector.map(str::to_owned),
            decision: "allow".to_owned(),
            outcome: Some("error".to_owned()),
            ..Self::default()
        }
    }

    /// The row of a request that succeeded, with its count, if anything was counted.
    pub fn done(tool: &str, sector: Option<&str>, count: Option<usize>) -> Self {
        Self {
            outcome: Some("ok".to_owned()),
            count: count.map(|count| i32::try_from(count).unwrap()),
            ..Self::failed(tool, sector)
        }
    }
}

/// The whole audit log, in the order of its ids.
pub async fn rows(database: &Client) -> Vec<Row> {
    let all = "SELECT user_id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id
        FROM audit_log ORDER BY id";
    let rows = database.query(all, &[]).await.unwrap();
    let read = |row: &tokio_postgres::Row| Row {
        user: row.get(0),
        agent: row.get(1),
        tool: row.get(2),
        sector: row.get(3),
        decision: row.get(4),
        deny_reason: row.get(5),
        args: row.get(6),
        count: row.get(7),
        outcome: row.get(8),
        request: row.get(9),
    };
    rows.iter().map(read).collect()
}
