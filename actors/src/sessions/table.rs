//! The live sessions by agent and id: a plain data structure.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::session::LiveSession;
use super::{ClientInfo, CloseReason, Era, SessionId, SessionSummary};
use crate::domain::AgentName;

/// By agent, so that no question about one agent reads another's. A session whose gate is closed counts as gone.
#[derive(Default)]
pub(super) struct SessionTable(HashMap<AgentName, HashMap<SessionId, Arc<LiveSession>>>);

impl SessionTable {
    pub(super) fn insert(&mut self, live: Arc<LiveSession>) {
        let own = self.0.entry(live.ticket.agent.clone()).or_default();
        own.insert(live.id.clone(), live);
    }

    pub(super) fn remove(&mut self, live: &LiveSession) {
        if let Some(own) = self.0.get_mut(&live.ticket.agent) {
            own.remove(&live.id);
        }
    }

    /// Forgets the agent's sessions that ended of their own accord.
    pub(super) fn prune(&mut self, agent: &AgentName) {
        if let Some(own) = self.0.get_mut(agent) {
            own.retain(|_, live| live.is_open());
        }
    }

    /// The same for all agents, and forgets those that have none left.
    pub(super) fn prune_all(&mut self) {
        self.0.retain(|_, own| {
            own.retain(|_, live| live.is_open());
            !own.is_empty()
        });
    }

    /// The agent's session of this id; another agent's is none.
    pub(super) fn get(&self, agent: &AgentName, id: &SessionId) -> Option<&Arc<LiveSession>> {
        let live = self.0.get(agent)?.get(id)?;
        live.is_open().then_some(live)
    }

    /// The session that requests of this agent and client share; the mirror's clients share one.
    pub(super) fn shared(
        &self,
        agent: &AgentName,
        client: &ClientInfo,
        era: Era,
    ) -> Option<&Arc<LiveSession>> {
        let same = |live: &&Arc<LiveSession>| match era {
            Era::Legacy => false,
            Era::Modern => live.client == *client,
            Era::Mirror => true,
        };
        self.of(agent).find(|live| live.era == era && same(live))
    }

    pub(super) fn count(&self, agent: &AgentName) -> usize {
        self.of(agent).count()
    }

    pub(super) fn oldest_idle(&self, agent: &AgentName) -> Option<&Arc<LiveSession>> {
        self.of(agent)
            .filter_map(|live| Some((live.activity.idle_since()?, live)))
            .min_by_key(|(since, _)| *since)
            .map(|(_, live)| live)
    }

    /// Sessions that are due to end, and why.
    pub(super) fn due(
        &self,
        now: DateTime<Utc>,
        idle_max: TimeDelta,
    ) -> Vec<(Arc<LiveSession>, CloseReason)> {
        self.open()
            .filter_map(|live| Some((Arc::clone(live), due(live, now, idle_max)?)))
            .collect()
    }

    /// Takes out the agent's sessions of earlier epochs.
    pub(super) fn take_outdated(&mut self, agent: &AgentName, epoch: u64) -> Vec<Arc<LiveSession>> {
        let own = self.0.get_mut(agent).into_iter();
        own.flat_map(|own| own.extract_if(|_, live| live.ticket.epoch < epoch))
            .map(|(_, live)| live)
            .collect()
    }

    pub(super) fn take_all(&mut self) -> Vec<Arc<LiveSession>> {
        let all = self.0.drain();
        all.flat_map(|(_, own)| own.into_values()).collect()
    }

    /// What the Console shows, the oldest first.
    pub(super) fn list(&self, agent: Option<&AgentName>) -> Vec<SessionSummary> {
        let mut summaries: Vec<SessionSummary> = match agent {
            Some(agent) => self.of(agent).map(|live| live.summary()).collect(),
            None => self.open().map(|live| live.summary()).collect(),
        };
        summaries.sort_by_key(|summary| summary.started_at);
        summaries
    }

    fn open(&self) -> impl Iterator<Item = &Arc<LiveSession>> {
        let all = self.0.values().flat_map(HashMap::values);
        all.filter(|live| live.is_open())
    }

    fn of(&self, agent: &AgentName) -> impl Iterator<Item = &Arc<LiveSession>> {
        let own = self.0.get(agent).into_iter().flat_map(HashMap::values);
        own.filter(|live| live.is_open())
    }
}

fn due(live: &LiveSession, now: DateTime<Utc>, idle_max: TimeDelta) -> Option<CloseReason> {
    let expired = live
        .ticket
        .expires_at
        .is_some_and(|deadline| deadline <= now);
    if expired {
        return Some(CloseReason::GrantChanged);
    }
    let idle = live
        .activity
        .idle_since()
        .is_some_and(|since| now - since >= idle_max);
    idle.then_some(CloseReason::Idle)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::domain::{Digest, PresentedAs, SectorSet, Ticket};
    use crate::sessions::Gate;
    use crate::sessions::activity::SessionActivity;
    use crate::supervise::Mailbox;

    pub(in crate::sessions) fn live(id: &str, agent: &str, epoch: u64) -> Arc<LiveSession> {
        let start = DateTime::UNIX_EPOCH;
        Arc::new(LiveSession {
            id: id.into(),
            life: 0,
            ticket: Ticket {
                agent: agent.parse().unwrap(),
                epoch,
                edition: 0,
                digest: Digest::of(agent),
                sectors: SectorSet::EMPTY,
                expires_at: None,
                presented: PresentedAs::Key,
            },
            client: ClientInfo::default(),
            era: Era::Legacy,
            started_at: start,
            gate: Gate::default(),
            activity: SessionActivity::new(start),
            places: Arc::new(tokio::sync::Semaphore::new(1)),
            address: Mailbox::open().address(),
        })
    }

    #[test]
    fn r067_a_kill_takes_the_agents_sessions_of_earlier_epochs_and_no_others() {
        let mut table = SessionTable::default();
        for (id, agent, epoch) in [("a", "amy", 6), ("b", "amy", 7), ("c", "bob", 3)] {
            table.insert(live(id, agent, epoch));
        }
        let taken = table.take_outdated(&"amy".parse().unwrap(), 7);
        let taken: Vec<&str> = taken.iter().map(|live| live.id.as_str()).collect();
        assert_eq!(taken, ["a"], "one opened under the new grant lives");
        assert_eq!(table.list(None).len(), 2);
    }

    #[test]
    fn a_session_whose_gate_is_closed_counts_as_gone() {
        let mut table = SessionTable::default();
        let (closed, open) = (live("a", "amy", 1), live("b", "amy", 1));
        table.insert(Arc::clone(&closed));
        table.insert(open);
        closed.gate.close(CloseReason::Ended);
        let agent = &closed.ticket.agent;
        assert!(table.get(agent, &closed.id).is_none());
        assert_eq!(table.count(agent), 1);
        table.prune(agent);
        assert_eq!(table.take_all().len(), 1);
    }

    #[test]
    fn what_is_asked_about_one_agent_is_answered_from_its_own_sessions() {
        let mut table = SessionTable::default();
        let (own, other) = (live("a", "amy", 1), live("b", "bob", 1));
        table.insert(Arc::clone(&own));
        table.insert(Arc::clone(&other));
        let amy = &own.ticket.agent;
        assert!(table.get(amy, &own.id).is_some());
        assert!(table.get(amy, &other.id).is_none());
        let idle = table.oldest_idle(amy).map(|live| live.id.clone());
        assert_eq!((idle, table.list(Some(amy)).len()), (Some("a".into()), 1));
        // Of an agent whose sessions are all over nothing is kept.
        other.gate.close(CloseReason::Ended);
        table.prune_all();
        assert_eq!(table.0.len(), 1);
    }
}
