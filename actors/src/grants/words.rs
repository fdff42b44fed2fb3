use std::fmt;

use chrono::{DateTime, Utc};

use crate::domain::{AgentName, Caller, Digest, Grant, OPERATOR, SectorSet};

/// A resolved key: the grant as it was published, and the epoch it was published under.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// Whose key it is.
    pub agent: AgentName,
    /// The edition of the agent's grant; every edit makes a new one.
    pub epoch: u64,
    /// The same as the database counts it, over all runs of the service.
    pub edition: i32,
    /// The key's hash.
    pub digest: Digest,
    /// What the stored list resolves to.
    pub sectors: SectorSet,
    /// The deadline; `None` never expires.
    pub expires_at: Option<DateTime<Utc>>,
}

impl Ticket {
    /// The caller that this ticket makes.
    pub fn caller(&self) -> Caller {
        Caller {
            user: OPERATOR,
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
            EditError::FateUnknown => {
                "the database's answer was lost, so that nobody knows whether the change was made: the agent is refused until its \
                 grant has been read again; look at it then, and repeat the change if it is not there (a key that was not shown \
                 is lost in any case: rotate it)"
            }
        })
    }
}

impl std::error::Error for EditError {}
