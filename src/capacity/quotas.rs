//! The present usage of each agent, over both ports and all of its sessions: one entry for each agent, with every bounded
//! resource.
//!
//! A [`Quota`] is the bound of one resource; whoever knows the bound creates it. What is taken under it is a [`Share`], which is
//! released when it is dropped. Reads of the database wait for a slot instead ([`Quotas::reads`]).

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sextant_actors::domain::AgentName;

use super::slots::Slots;

/// A resource that is bounded for each agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Connections of the agent port, including idle ones and streams.
    Connections,
    /// Bytes of request bodies that the agent port is receiving or parsing.
    UploadBytes,
    /// Requests of the read mirror whose answers are not complete.
    Requests,
    /// Bytes of answers, from before the first read for one until its last byte was sent.
    AnswerBytes,
}

/// The usage of all agents. Clones share it.
#[derive(Clone, Default)]
pub struct Quotas(Arc<Mutex<HashMap<AgentName, Usage>>>);

/// The usage of one agent.
#[derive(Default)]
struct Usage {
    connections: usize,
    upload_bytes: usize,
    requests: usize,
    answer_bytes: usize,
    /// The slots of its reads, once one was requested.
    reads: Option<Slots>,
}

/// How much of a resource each agent may use.
#[derive(Clone)]
pub struct Quota {
    quotas: Quotas,
    resource: Resource,
    max: usize,
}

/// An amount taken by an agent under a quota; released when it is dropped.
pub struct Share {
    quota: Quota,
    agent: AgentName,
    amount: usize,
}

/// The agent has less left than was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaExceeded;

impl Quotas {
    /// A quota of `max` for each agent.
    pub fn limit(&self, resource: Resource, max: usize) -> Quota {
        Quota {
            quotas: self.clone(),
            resource,
            max,
        }
    }

    /// The slots of this agent's reads; `max` of them are created at the first call.
    pub fn reads(&self, agent: &AgentName, max: usize) -> Slots {
        let mut agents = self.lock();
        let reads = &mut usage_of(&mut agents, agent).reads;
        reads.get_or_insert_with(|| Slots::new(max)).clone()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AgentName, Usage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The agent's entry. Freeing a read slot does not reach this map, so entries that only slots kept are removed when an entry is
/// added.
fn usage_of<'a>(agents: &'a mut HashMap<AgentName, Usage>, agent: &AgentName) -> &'a mut Usage {
    if !agents.contains_key(agent) {
        agents.retain(|_, usage| !usage.is_empty());
    }
    agents.entry(agent.clone()).or_default()
}

impl Usage {
    const fn of(&mut self, resource: Resource) -> &mut usize {
        match resource {
            Resource::Connections => &mut self.connections,
            Resource::UploadBytes => &mut self.upload_bytes,
            Resource::Requests => &mut self.requests,
            Resource::AnswerBytes => &mut self.answer_bytes,
        }
    }

    fn is_empty(&self) -> bool {
        let counted = [
            self.connections,
            self.upload_bytes,
            self.requests,
            self.answer_bytes,
        ];
        counted == [0; 4] && self.reads.as_ref().is_none_or(Slots::is_unused)
    }
}

impl Quota {
    /// Takes `amount` for this agent.
    ///
    /// # Errors
    /// [`QuotaExceeded`]; nothing is taken then.
    pub fn take(&self, agent: &AgentName, amount: usize) -> Result<Share, QuotaExceeded> {
        let mut share = Share {
            quota: self.clone(),
            agent: agent.clone(),
            amount: 0,
        };
        share.grow(amount)?;
        Ok(share)
    }
}

impl Share {
    /// The agent that took it.
    pub const fn agent(&self) -> &AgentName {
        &self.agent
    }

    /// Takes `amount` more.
    ///
    /// # Errors
    /// [`QuotaExceeded`]; the whole share is released then. So of two that reach the bound together, one can go on.
    pub fn grow(&mut self, amount: usize) -> Result<(), QuotaExceeded> {
        let mut agents = self.quota.quotas.lock();
        let held = usage_of(&mut agents, &self.agent).of(self.quota.resource);
        if amount > self.quota.max.saturating_sub(*held) {
            let released = std::mem::take(&mut self.amount);
            *held = held.saturating_sub(released);
            return Err(QuotaExceeded);
        }
        *held += amount;
        self.amount += amount;
        Ok(())
    }

    /// Replaces the amount taken by `amount`, the amount in use, without checking the bound.
    pub fn settle(&mut self, amount: usize) {
        let mut agents = self.quota.quotas.lock();
        let held = usage_of(&mut agents, &self.agent).of(self.quota.resource);
        *held = held.saturating_sub(self.amount).saturating_add(amount);
        self.amount = amount;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut agents = self.quota.quotas.lock();
        if let Entry::Occupied(mut usage) = agents.entry(self.agent.clone()) {
            let held = usage.get_mut().of(self.quota.resource);
            *held = held.saturating_sub(self.amount);
            if usage.get().is_empty() {
                usage.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn agents() -> [AgentName; 2] {
        ["amy", "bob"].map(|name| name.parse().unwrap())
    }

    #[test]
    fn one_agent_takes_no_more_than_its_quota_and_none_of_anothers() {
        let quotas = Quotas::default();
        let requests = quotas.limit(Resource::Requests, 16);
        let [amy, bob] = agents();
        let mut held: Vec<Share> = (0..16).map(|_| requests.take(&amy, 1).unwrap()).collect();
        assert!(requests.take(&amy, 1).is_err());
        assert!(requests.take(&bob, 16).is_ok());
        held.pop();
        assert!(requests.take(&amy, 2).is_err());
        assert!(requests.take(&amy, 1).is_ok());
        drop(held);
        assert!(quotas.lock().is_empty());
    }

    #[test]
    fn each_resource_is_counted_apart() {
        let quotas = Quotas::default();
        let [amy, _] = agents();
        let all = [
            Resource::Connections,
            Resource::UploadBytes,
            Resource::Requests,
            Resource::AnswerBytes,
        ];
        let held = all.map(|resource| quotas.limit(resource, 1).take(&amy, 1).unwrap());
        for resource in all {
            assert!(quotas.limit(resource, 1).take(&amy, 1).is_err());
        }
        drop(held);
        assert!(quotas.lock().is_empty());
    }

    #[test]
    fn a_share_that_cannot_grow_makes_room_for_the_others() {
        let quotas = Quotas::default();
        let bytes = quotas.limit(Resource::UploadBytes, 10);
        let [amy, bob] = agents();
        let [mut first, mut second] = [bytes.take(&amy, 8).unwrap(), bytes.take(&amy, 2).unwrap()];
        assert_eq!(second.grow(1), Err(QuotaExceeded));
        assert_eq!(first.grow(2), Ok(()));
        drop(second);
        assert_eq!(bytes.take(&bob, 0).unwrap().grow(10), Ok(()));
        assert_eq!(first.grow(1), Err(QuotaExceeded));
        assert_eq!(first.grow(10), Ok(()));
    }

    #[test]
    fn what_was_taken_and_not_needed_is_given_back_at_once() {
        let quotas = Quotas::default();
        let bytes = quotas.limit(Resource::AnswerBytes, 100);
        let [amy, _] = agents();
        let mut share = bytes.take(&amy, 100).unwrap();
        share.settle(10);
        assert!(bytes.take(&amy, 91).is_err());
        assert!(bytes.take(&amy, 90).is_ok());
        drop(share);
        assert!(quotas.lock().is_empty());
    }

    #[test]
    fn an_agent_reads_in_its_own_slots() {
        let quotas = Quotas::default();
        let [amy, bob] = agents();
        let take = |agent| quotas.reads(agent, 2).try_take();
        let held = [take(&amy).unwrap(), take(&amy).unwrap()];
        assert!(take(&amy).is_none());
        assert!(take(&bob).is_some());
        let [first, _second] = held;
        drop(first);
        assert!(quotas.reads(&amy, 2).take(1).now_or_never().is_some());
    }

    #[test]
    fn nothing_is_kept_of_an_agent_that_holds_nothing() {
        let quotas = Quotas::default();
        for name in ["amy", "bob", "cleo"] {
            drop(quotas.reads(&name.parse().unwrap(), 1).try_take().unwrap());
        }
        assert_eq!(quotas.lock().len(), 1);
    }
}
