use std::fmt;

use chrono::{DateTime, Utc};

use crate::domain::{AgentName, Caller, Digest, Grant, Refusal, SectorSet};
use crate::ports::GrantChange;

/// A resolved key: the grant as it was published, and the epoch it was published under.
#[derive(Clone, Debug)]
pub struct Ticket {
    pub agent: AgentName,
    pub epoch: u64,
    pub digest: Digest,
    pub sectors: SectorSet,
    pub expires_at: Option<DateTime<Utc>>,
}

impl Ticket {
    /// The caller that this ticket makes.
    pub fn caller(&self) -> Caller {
        Caller {
            user: crate::domain::OPERATOR,
            agent: Some(self.agent.clone()),
            sectors: self.sectors,
            expires_at: self.expires_at,
        }
    }
}

/// What an edit did.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The grant as it is now; `None` when removed.
    pub grant: Option<Grant>,
    /// There was a grant under this name before.
    pub replaced: bool,
    /// How many live sessions of the agent it ended.
    pub sessions_ended: usize,
}

/// Why an edit did nothing, or may have done something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditError {
    /// No grant under this name.
    NotFound,
    /// The deadline has passed: the key cannot be rotated.
    DeadlinePassed,
    /// The database cannot be reached; nothing was changed.
    Unavailable,
    /// The commit's answer was lost; the agent is refused until its row has been read again.
    FateUnknown,
}

impl fmt::Display for EditError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            EditError::NotFound => "no agent has this name",
            EditError::DeadlinePassed => "the key's deadline has passed; set a new deadline first",
            EditError::Unavailable => "the database cannot be reached; nothing was changed",
            EditError::FateUnknown => "the database's answer was lost; the agent is refused until its grant has been read again",
        })
    }
}

impl std::error::Error for EditError {}

/// The door to the grants.
#[derive(Clone)]
pub struct GrantsHandle;

impl GrantsHandle {
    /// Resolves a presented key by a read of the published snapshot: no database, no message.
    ///
    /// # Errors
    /// Why the key is refused.
    pub fn resolve(&self, _digest: &Digest) -> Result<Ticket, Refusal> {
        unimplemented!()
    }
    /// Changes one agent's grant: commits, publishes, ends its live sessions, then answers.
    ///
    /// # Errors
    /// Why nothing was changed.
    pub async fn edit(&self, _agent: AgentName, _change: GrantChange) -> Result<Edited, EditError> {
        unimplemented!()
    }
    /// All grants as published, by name.
    pub fn list(&self) -> Vec<Grant> {
        unimplemented!()
    }
    /// One agent's grant as published.
    pub fn get(&self, _agent: &AgentName) -> Option<Grant> {
        unimplemented!()
    }
}
