//! An entry: one row of the audit log on its way to be stored. What it holds, how it is made safe, and its bytes in the journal.
//!
//! Pure: no clock, no I/O. The port that stores rows, the queue and the journal all stand on it.

mod line;
mod redaction;

use serde_json::Value;
use uuid::Uuid;

use self::redaction::{clean, clean_word, dismantle};
use crate::domain::{AgentName, Decision, Outcome, Sector};

pub(crate) use line::{decode, encode};
pub use redaction::{REDACTED, TRUNCATED, is_secretive, safe_args};

/// One row of `audit_log` before it has an id and a stamp (r020). [`crate::audit::AuditHandle::record`] makes it safe to store.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    /// Whose data it was about, when that is known.
    pub user_id: Option<Uuid>,
    /// The agent's name, or `operator`; `None` for a caller without a valid key.
    pub agent_id: Option<String>,
    /// The verb: a tool's name or one of the fixed verbs (r039, r043).
    pub tool: String,
    /// The sector it happened in.
    pub sector: Option<Sector>,
    /// Let through, or refused and why.
    pub decision: Decision,
    /// The parameters.
    pub args: Option<Value>,
    /// How many rows the answer has, or records were taken; never a value.
    pub result_count: Option<i32>,
    /// What the work reported; `None` when refused.
    pub outcome: Option<Outcome>,
    /// The JSON-RPC id as text, `[truncated]` when it is longer than arguments may be.
    pub request_id: Option<String>,
}

/// What is known of a call before it has run; becomes an [`AuditEntry`] through redaction and the size bound.
#[derive(Clone, Debug)]
pub struct AuditDraft {
    /// Whose data it is about, when that is known.
    pub user: Option<Uuid>,
    /// Who calls, if an agent.
    pub agent: Option<AgentName>,
    /// The verb: a tool's name or one of the fixed verbs (r039, r043).
    pub tool: String,
    /// The sector that the target names.
    pub sector: Option<Sector>,
    /// The parameters as they arrived.
    pub args: Option<Value>,
    /// The JSON-RPC id as text.
    pub request_id: Option<String>,
}

impl AuditEntry {
    /// This entry as it may be stored: redacted, bounded, without U+0000. Doing it twice changes nothing.
    pub(crate) fn into_safe(mut self) -> Self {
        self.agent_id = self.agent_id.map(|text| clean(&text));
        self.tool = clean(&self.tool);
        self.request_id = self.request_id.map(|text| clean_word(&text));
        self.args = self.args.map(into_safe_args);
        if let Decision::Deny(reason) = &self.decision {
            self.decision = Decision::Deny(clean(reason));
        }
        self
    }

    /// Bytes that the entry takes in memory, estimated; never less than its texts.
    pub(crate) fn weight(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let reason = match &self.decision {
            Decision::Allow => 0,
            Decision::Deny(reason) => reason.len(),
        };
        size_of::<Self>()
            + self.tool.len()
            + text(&self.agent_id)
            + text(&self.request_id)
            + reason
            + self.args.as_ref().map_or(0, weigh)
    }
}

impl From<AuditDraft> for AuditEntry {
    /// The entry of a call that was let through and failed: `allow`/`error`, no count.
    fn from(draft: AuditDraft) -> Self {
        Self {
            user_id: draft.user,
            agent_id: draft.agent.map(|agent| agent.to_string()),
            tool: draft.tool,
            sector: draft.sector,
            decision: Decision::Allow,
            args: draft.args,
            result_count: None,
            outcome: Some(Outcome::Error),
            request_id: draft.request_id,
        }
        .into_safe()
    }
}

fn into_safe_args(args: Value) -> Value {
    let safe = safe_args(&args);
    dismantle(args);
    safe
}

/// Recursion is bounded: safe arguments nest no deeper than `ARGS_DEPTH_MAX`.
fn weigh(value: &Value) -> usize {
    let own = size_of::<Value>();
    match value {
        Value::Null | Value::Bool(_) => own,
        Value::Number(number) => own + number.to_string().len(),
        Value::String(text) => own + text.len(),
        Value::Array(items) => own + items.iter().map(weigh).sum::<usize>(),
        Value::Object(fields) => {
            own + fields
                .iter()
                .map(|(name, value)| size_of::<String>() + name.len() + weigh(value))
                .sum::<usize>()
        }
    }
}
