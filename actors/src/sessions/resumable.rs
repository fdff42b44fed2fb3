//! The sessions that may be taken up once more: a client of the session era knows nothing of a restart, nor of its session having been
//! idle for too long, and few begin anew when they are told (mcp.md 1.1, 7).
//!
//! Of an earlier run's each is taken up once: if it is ended in this run, it stays ended. One that ended only because it was idle
//! rests, and is taken up whenever its client comes back. Nothing is kept of either but the ids.

use std::collections::{HashMap, HashSet, VecDeque};

use super::sealed_id::{SealedId, ServiceRun};
use super::{ClientInfo, SessionId};
use crate::domain::{AgentName, Ticket};
use crate::limits::{IDLE_ENDED_PER_AGENT_MAX, RESUMED_PER_AGENT_MAX};
use crate::random;

/// This run, and what may be taken up in it.
pub(super) struct ResumableSessions {
    /// None without randomness; no id can be drawn then, and none is read.
    run: Option<ServiceRun>,
    agents: HashMap<AgentName, AgentHistory>,
    /// How many sessions this run has taken up.
    resumed_count: u64,
}

/// What is known of one agent's sessions.
#[derive(Default)]
struct AgentHistory {
    /// Those of earlier runs that were taken up in this one.
    resumed: HashSet<SessionId>,
    /// Those that were idle for too long, the longest resting first.
    idle_ended: VecDeque<SessionId>,
}

impl ResumableSessions {
    pub(super) fn new() -> Self {
        Self {
            run: ServiceRun::begin().ok(),
            agents: HashMap::new(),
            resumed_count: 0,
        }
    }

    /// An id that a later run can read, for a session of this one.
    pub(super) fn generate(
        &self,
        ticket: &Ticket,
        client: &ClientInfo,
    ) -> Result<SessionId, random::Unavailable> {
        let run = self.run.ok_or(random::Unavailable)?;
        let client = client.clone();
        SealedId { run, client }.generate(ticket)
    }

    /// The client of a session that may be taken up under this ticket.
    pub(super) fn client(&self, id: &SessionId, ticket: &Ticket) -> Option<ClientInfo> {
        let SealedId { run, client } = SealedId::open(id, ticket)?;
        let is_earlier = self.run.is_some_and(|present| present != run);
        let may_be = match self.agents.get(&ticket.agent) {
            Some(known) => known.idle_ended.contains(id) || (is_earlier && known.is_new(id)),
            None => is_earlier,
        };
        may_be.then_some(client)
    }

    /// The session has been taken up; the number of its new life, which no session of this run has had.
    pub(super) fn note_resumed(&mut self, id: SessionId, agent: &AgentName) -> u64 {
        let known = self.agents.entry(agent.clone()).or_default();
        match known
            .idle_ended
            .iter()
            .position(|idle_ended| *idle_ended == id)
        {
            Some(place) => drop(known.idle_ended.remove(place)),
            None => drop(known.resumed.insert(id)),
        }
        self.resumed_count += 1;
        self.resumed_count
    }

    /// The session has ended because it was idle.
    pub(super) fn note_idle_end(&mut self, id: SessionId, agent: &AgentName) {
        let known = self.agents.entry(agent.clone()).or_default();
        if known.idle_ended.len() >= IDLE_ENDED_PER_AGENT_MAX {
            known.idle_ended.pop_front();
        }
        known.idle_ended.push_back(id);
    }
}

impl AgentHistory {
    fn is_new(&self, id: &SessionId) -> bool {
        self.resumed.len() < RESUMED_PER_AGENT_MAX && !self.resumed.contains(id)
    }
}
