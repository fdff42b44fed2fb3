//! The sessions of earlier runs that this one may take up: a client of the session era knows nothing of a restart (mcp.md 1.1).
//!
//! Each is taken up once: however it ends in this run, it stays ended. Nothing is kept of those that nobody comes back to.

use std::collections::{HashMap, HashSet};

use super::seal::{Run, Sealed};
use super::{ClientInfo, SessionId};
use crate::domain::AgentName;
use crate::grants::Ticket;
use crate::limits::RESUMED_PER_AGENT_MAX;
use crate::random;

/// This run, and what it has taken up of the earlier ones.
pub(super) struct Past {
    /// None without randomness; no id can be drawn then, and none is read.
    run: Option<Run>,
    resumed: HashMap<AgentName, HashSet<SessionId>>,
}

impl Past {
    pub(super) fn new() -> Self {
        Self {
            run: Run::begin().ok(),
            resumed: HashMap::new(),
        }
    }

    /// An id that a later run can read, for a session of this one.
    pub(super) fn draw(
        &self,
        ticket: &Ticket,
        client: &ClientInfo,
    ) -> Result<SessionId, random::Unavailable> {
        let run = self.run.ok_or(random::Unavailable)?;
        let client = client.clone();
        Sealed { run, client }.draw(ticket)
    }

    /// The client of a session that may be taken up under this ticket.
    pub(super) fn client(&self, id: &SessionId, ticket: &Ticket) -> Option<ClientInfo> {
        let Sealed { run, client } = Sealed::read(id, ticket)?;
        let is_earlier = self.run.is_some_and(|present| present != run);
        let is_new = self
            .resumed
            .get(&ticket.agent)
            .is_none_or(|resumed| resumed.len() < RESUMED_PER_AGENT_MAX && !resumed.contains(id));
        (is_earlier && is_new).then_some(client)
    }

    /// The session has been taken up.
    pub(super) fn note(&mut self, id: SessionId, agent: &AgentName) {
        self.resumed.entry(agent.clone()).or_default().insert(id);
    }
}
