//! An entry: one row of the audit log on its way to be stored. What it holds, how it is made safe, and its bytes in the journal.
//!
//! Whatever of it a client chose is made safe once, as it is put in: the types of its fields hold nothing else. Pure: no clock, no I/O.
//! The port that stores rows, the queue and the journal all stand on it.

mod line;
mod redaction;

use uuid::Uuid;

use crate::domain::{CleanText, Decision, Outcome, Sector};

pub(crate) use line::{decode, encode};
pub use redaction::{REDACTED, SafeArgs, is_secretive};

/// One row of `audit_log` before it has an id and a stamp (r020).
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    /// Whose data it was about, when that is known.
    pub user_id: Option<Uuid>,
    /// The agent's name, or `operator`; `None` for a caller without a valid key.
    pub agent_id: Option<CleanText>,
    /// The verb: a tool's name or one of the fixed verbs (r039, r043).
    pub tool: CleanText,
    /// The sector it happened in.
    pub sector: Option<Sector>,
    /// Let through, or refused and why.
    pub decision: Decision,
    /// The parameters.
    pub args: Option<SafeArgs>,
    /// How many rows the answer has, or records were taken; never a value.
    pub result_count: Option<i32>,
    /// What the work reported; `None` when refused.
    pub outcome: Option<Outcome>,
    /// The JSON-RPC id as text.
    pub request_id: Option<CleanText>,
}

impl AuditEntry {
    /// The entry of a call that was let through and is not known to have succeeded: `allow`/`error`, nobody's, without arguments and
    /// count.
    pub fn unfinished(verb: &'static str) -> Self {
        Self {
            user_id: None,
            agent_id: None,
            tool: verb.into(),
            sector: None,
            decision: Decision::Allow,
            args: None,
            result_count: None,
            outcome: Some(Outcome::Error),
            request_id: None,
        }
    }

    /// Bytes that the entry takes in memory, estimated; never less than its texts.
    pub(crate) fn weight(&self) -> usize {
        let text = |text: &Option<CleanText>| text.as_ref().map_or(0, |text| text.len());
        let reason = match &self.decision {
            Decision::Allow => 0,
            Decision::Deny(reason) => reason.len(),
        };
        let args = self.args.as_ref().map_or(0, |args| args.as_str().len());
        size_of::<Self>()
            + self.tool.len()
            + text(&self.agent_id)
            + text(&self.request_id)
            + reason
            + args
    }
}
