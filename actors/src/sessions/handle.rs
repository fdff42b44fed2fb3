use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio_util::sync::CancellationToken;

use super::Gate;
use crate::domain::{AgentName, Call, Served};
use crate::grants::Ticket;

/// A session's unguessable id; in the legacy era it is the `Mcp-Session-Id`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for SessionId {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

/// The client as it names itself, cut to a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClientInfo {
    pub name: String,
    pub version: String,
}

/// How the session came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// 2025-06-18 and 2025-11-25: one actor per MCP session.
    Legacy,
    /// 2026-07-28: one actor per agent and client.
    Modern,
    /// The REST read mirror: one actor per agent.
    Mirror,
}

/// Why no session could be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// The grant has changed since the key was resolved: resolve again.
    GrantChanged,
    /// The agent has as many busy sessions as it may have.
    Full,
    /// The service stops, or the registry is restarting.
    Unavailable,
}

/// Why a call has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The session was ended while the call was under way.
    Closed(super::CloseReason),
    /// The caller cancelled it.
    Cancelled,
}

impl fmt::Display for OpenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            OpenError::GrantChanged => "the grant has changed",
            OpenError::Full => "too many busy sessions of this agent",
            OpenError::Unavailable => "the service is not taking sessions now",
        })
    }
}

impl std::error::Error for OpenError {}

/// What the Console shows of a live session.
#[derive(Clone, Debug)]
pub struct SessionSummary {
    pub id: SessionId,
    pub agent: AgentName,
    pub client: ClientInfo,
    pub era: Era,
    pub started_at: DateTime<Utc>,
    pub last_call_at: Option<DateTime<Utc>>,
    pub calls: u64,
}

/// A place in a live session: the right to call through it, and the gate that its bytes pass.
#[derive(Clone)]
pub struct Lease {
    id: SessionId,
    gate: Gate,
}

impl Lease {
    /// The session's id.
    pub fn id(&self) -> &SessionId {
        &self.id
    }
    /// The session's gate.
    pub fn gate(&self) -> &Gate {
        &self.gate
    }
    /// Serves one call inside the session; exactly one row of the record comes of it. `cancel`, or dropping the future, abandons it.
    ///
    /// # Errors
    /// When the session ends first, or the call is cancelled.
    pub async fn call(&self, _call: Call, _cancel: CancellationToken) -> Result<Served, CallError> {
        unimplemented!()
    }
    /// Ends the session (DELETE). Ending it twice is harmless.
    pub async fn end(&self) {
        unimplemented!()
    }
}

/// The door to the sessions.
#[derive(Clone)]
pub struct SessionsHandle;

impl SessionsHandle {
    /// Opens a session (legacy), or finds or opens the one of this agent and client (modern, mirror).
    ///
    /// # Errors
    /// Why there is none.
    pub async fn open(
        &self,
        _ticket: Ticket,
        _client: ClientInfo,
        _era: Era,
    ) -> Result<Lease, OpenError> {
        unimplemented!()
    }
    /// The live legacy session with this id, if it is this agent's under this very grant.
    pub async fn find(&self, _id: SessionId, _ticket: &Ticket) -> Option<Lease> {
        unimplemented!()
    }
    /// The live sessions, of one agent or of all.
    pub async fn list(&self, _agent: Option<AgentName>) -> Vec<SessionSummary> {
        unimplemented!()
    }
}
