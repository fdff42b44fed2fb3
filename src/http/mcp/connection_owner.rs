//! Whose a connection of the agent port is: the agent's whose request came over it last, until it closes. A connection that lies idle
//! costs the others as much as one that is served.

use std::cell::RefCell;

use sextant_actors::domain::AgentName;

use crate::capacity::{Quota, QuotaExceeded, Share};

/// One connection's owner; none before its first admitted request.
#[derive(Default)]
pub(super) struct ConnectionOwner(RefCell<Option<Share>>);

impl ConnectionOwner {
    /// Makes the connection this agent's.
    ///
    /// # Errors
    /// When the agent has as many connections as it may have; the connection stays whose it was.
    pub(super) fn claim(
        &self,
        connections: &Quota,
        agent: &AgentName,
    ) -> Result<(), QuotaExceeded> {
        let mut share = self.0.borrow_mut();
        if share.as_ref().is_none_or(|share| share.agent() != agent) {
            *share = Some(connections.take(agent, 1)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capacity::{Quotas, Resource};

    fn connections(max: usize) -> (Quota, [AgentName; 2]) {
        let agents = ["amy", "bob"].map(|name| name.parse().unwrap());
        (Quotas::default().limit(Resource::Connections, max), agents)
    }

    #[test]
    fn an_agent_that_holds_its_connections_takes_none_of_anothers() {
        let (quota, [amy, bob]) = connections(2);
        let owners: [ConnectionOwner; 4] = Default::default();
        for owner in &owners[..2] {
            // However many requests come over it, and long after they were answered.
            owner.claim(&quota, &amy).unwrap();
            owner.claim(&quota, &amy).unwrap();
        }
        assert!(owners[2].claim(&quota, &amy).is_err());
        assert!(owners[3].claim(&quota, &bob).is_ok());
        let [first, ..] = owners;
        drop(first);
        assert!(ConnectionOwner::default().claim(&quota, &amy).is_ok());
    }

    #[test]
    fn a_connection_is_the_last_agents_that_used_it() {
        let (quota, [amy, bob]) = connections(1);
        let [first, second]: [ConnectionOwner; 2] = Default::default();
        first.claim(&quota, &amy).unwrap();
        first.claim(&quota, &bob).unwrap();
        assert!(second.claim(&quota, &amy).is_ok());
        assert!(second.claim(&quota, &bob).is_err());
    }
}
