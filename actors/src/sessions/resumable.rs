//! The sessions that may be resumed: an MCP client of the session era is not told that the service restarted or that its session was idle
//! for too long, and few open a new one on the 404 that the protocol has for that.
//!
//! A session of an earlier run is resumed once: ended in this run, it stays ended. One that ended only because it was idle is resumed
//! whenever its client comes back. Only the ids are kept.

use std::collections::{HashMap, HashSet, VecDeque};

use super::sealed_id::{SealedId, ServiceRun};
use super::{ClientInfo, SessionId};
use crate::domain::{AgentName, Ticket};
use crate::limits::{IDLE_ENDED_PER_AGENT_MAX, RESUMED_PER_AGENT_MAX};
use crate::random;

/// This run, and what may be resumed in it.
pub(super) struct ResumableSessions {
    /// `None` without randomness: then no id can be generated, and none is read.
    run: Option<ServiceRun>,
    agents: HashMap<AgentName, AgentHistory>,
    /// How many sessions this run has resumed.
    resumed_count: u64,
}

/// One agent's ended sessions.
#[derive(Default)]
struct AgentHistory {
    /// Those of earlier runs that were resumed in this one.
    resumed: HashSet<SessionId>,
    /// Those that were idle for too long, the longest ended first.
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

    /// The client of a session that may be resumed under this ticket.
    pub(super) fn client(&self, id: &SessionId, ticket: &Ticket) -> Option<ClientInfo> {
        let SealedId { run, client } = SealedId::open(id, ticket)?;
        let is_earlier = self.run.is_some_and(|present| present != run);
        let may_be = match self.agents.get(&ticket.agent) {
            Some(known) => known.idle_ended.contains(id) || (is_earlier && known.is_new(id)),
            None => is_earlier,
        };
        may_be.then_some(client)
    }

    /// Notes that the session has been resumed; returns its new [`super::Lease::life`], which no session of this run has had.
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

    /// Notes that the session has ended because it was idle.
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
