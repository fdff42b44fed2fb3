use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::CloseReason;
use crate::domain::{AgentName, PresentedAs};
use crate::limits::CLIENT_CHARS_MAX;
use crate::random;

/// Random bytes in a session's id.
const ID_BYTES: usize = 32;

/// A session's unguessable id; in the legacy era it is the `Mcp-Session-Id`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// A fresh id of 32 random bytes, base64url, for a session that no client asks for by it.
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub(super) fn generate() -> Result<Self, random::Unavailable> {
        let bytes = random::bytes::<ID_BYTES>()?;
        Ok(Self(random::base64url(&bytes).into()))
    }

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
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl ClientInfo {
    /// This client with name and version cut to their bound.
    pub(super) fn truncated(self) -> Self {
        let cut = |text: String| text.chars().take(CLIENT_CHARS_MAX).collect();
        Self {
            name: cut(self.name),
            version: cut(self.version),
        }
    }
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
    Closed(CloseReason),
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

impl fmt::Display for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            CallError::Closed(_) => "the session ended before the call did",
            CallError::Cancelled => "the call was cancelled",
        })
    }
}

impl std::error::Error for CallError {}

/// What the Console shows of a live session.
#[derive(Clone, Debug)]
pub struct SessionSummary {
    /// Its id.
    pub id: SessionId,
    /// Whose it is.
    pub agent: AgentName,
    /// What the client calls itself.
    pub client: ClientInfo,
    /// How it came to be.
    pub era: Era,
    /// What it was opened with.
    pub presented: PresentedAs,
    /// When it was opened.
    pub started_at: DateTime<Utc>,
    /// When its latest call began.
    pub last_call_at: Option<DateTime<Utc>>,
    /// How many calls it took.
    pub calls: u64,
}
