use serde_json::Value;
use uuid::Uuid;

use crate::domain::{AgentName, Decision, Outcome, Sector};

/// One row of `audit_log` before it has an id and a stamp (spec §2.1); its arguments are redacted and bounded.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub user_id: Option<Uuid>,
    pub agent_id: Option<String>,
    pub tool: String,
    pub sector: Option<Sector>,
    pub decision: Decision,
    pub args: Option<Value>,
    pub result_count: Option<i32>,
    pub outcome: Option<Outcome>,
    pub request_id: Option<String>,
}

/// What is known of a call before it has run; becomes an [`Entry`] through redaction and the size bound.
#[derive(Clone, Debug)]
pub struct EntryDraft {
    pub user: Option<Uuid>,
    pub agent: Option<AgentName>,
    pub tool: String,
    pub sector: Option<Sector>,
    pub args: Option<Value>,
    pub request_id: Option<String>,
}
