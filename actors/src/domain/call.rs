use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use uuid::Uuid;

use super::{AgentName, CleanText, EscapedText, Sector, SectorSet, Tool};

/// Who calls, and with what grant: resolved before anything runs.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Every read is scoped to this user.
    pub user: Uuid,
    /// The agent, or `None` for the operator's own inspector.
    pub agent: Option<AgentName>,
    /// The sectors it holds.
    pub sectors: SectorSet,
    /// The grant's deadline.
    pub expires_at: Option<chrono::DateTime<chrono::Utc>>,
}

/// One call of a tool as it arrived: the name and the arguments are still whatever the agent sent.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// The arguments: an object, unless the call was malformed.
    pub arguments: Value,
    /// The JSON-RPC id as text; `None` on the mirror and in the Console.
    pub request_id: Option<String>,
}

/// The verb of a call of an unknown tool: text of an agent never becomes a verb.
const UNKNOWN_TOOL: &str = "tools/call";

impl Call {
    /// The verb under which the audit log has it: the tool's name, or `tools/call` for an unknown one.
    pub fn verb(&self) -> &'static str {
        self.tool.parse().map_or(UNKNOWN_TOOL, Tool::name)
    }
}

/// Whether the call was let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It was.
    Allow,
    /// It was refused, with the text for `deny_reason`.
    Deny(CleanText),
}

/// What the work reported; a refused call has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The work succeeded.
    Ok,
    /// The work failed.
    Error,
}

/// What the agent gets to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Compact JSON, to be sent as it is.
    Answer(EscapedText),
    /// A fault that the agent can act on (`isError`), in words.
    Fault(String),
    /// The call is right and could not be served all the same: what stood in its way, and in words (`isError`).
    Failure(Obstacle, String),
    /// The tool does not exist: a protocol error, not a result.
    UnknownTool(String),
}

/// What stands in the way of a call that is right; surfaces whose answers have a status tell these apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Nothing is connected that could be asked.
    NoSource,
    /// A source did not answer.
    Source,
    /// The database cannot be reached.
    Database,
    /// The limit on work at one time is reached.
    Busy,
    /// The service itself failed.
    Service,
}

/// A call that has been served or refused: what the audit log says of it, and what the agent reads.
#[derive(Clone, Debug)]
pub struct Served {
    /// Let through or refused.
    pub decision: Decision,
    /// What the work reported; `None` when refused.
    pub outcome: Option<Outcome>,
    /// The sector it happened in.
    pub sector: Option<Sector>,
    /// A count for `result_count`, where the tool has one.
    pub count: Option<i32>,
    /// The answer.
    pub reply: Reply,
    /// What is held for the answer.
    pub hold: AnswerHold,
}

/// What whoever served a call holds for its answer until the last byte of that has been handed over: it is given back when the last
/// clone of this is dropped. Surfaces keep it beside the bytes, and know no more of it.
#[derive(Clone, Default)]
pub struct AnswerHold(Option<Arc<dyn Any + Send + Sync>>);

impl AnswerHold {
    /// Holds `held`.
    pub fn of(held: impl Any + Send + Sync) -> Self {
        Self(Some(Arc::new(held)))
    }
}

impl fmt::Debug for AnswerHold {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = if self.0.is_some() { ".." } else { "" };
        write!(formatter, "AnswerHold({held})")
    }
}
