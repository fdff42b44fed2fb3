use chrono::{DateTime, Utc};

use super::{AgentName, Caller, Digest, OPERATOR, SectorSet};

/// What a caller presented to get its ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresentedAs {
    /// The agent's key itself.
    Key,
    /// An access token that was issued for the key.
    Token,
}

/// A resolved key, or token that stands for one: the grant as it was published, and the epoch it was published under.
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
    /// What was presented.
    pub presented: PresentedAs,
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
