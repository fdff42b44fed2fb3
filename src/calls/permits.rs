//! How many reads that are not cheap one agent may run at once, over all of its sessions and both ports.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use sextant_actors::domain::AgentName;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// The permits of every agent, each with as many as any other.
pub struct Permits {
    agents: Mutex<HashMap<AgentName, Weak<Semaphore>>>,
    per_agent: usize,
}

impl Permits {
    /// None is taken.
    pub fn new(per_agent: usize) -> Self {
        Self {
            agents: Mutex::default(),
            per_agent,
        }
    }

    /// A permit of this agent, once it has one left: first come, first served.
    ///
    /// # Errors
    /// None: nobody closes them.
    pub async fn take(&self, agent: &AgentName) -> Result<OwnedSemaphorePermit, AcquireError> {
        self.of(agent).acquire_owned().await
    }

    /// What is known of an agent is kept for as long as it holds a permit or waits for one.
    fn of(&self, agent: &AgentName) -> Arc<Semaphore> {
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = agents.get(agent).and_then(Weak::upgrade) {
            return own;
        }
        agents.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(self.per_agent));
        agents.insert(agent.clone(), Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn agent(name: &str) -> AgentName {
        name.parse().unwrap()
    }

    #[test]
    fn an_agent_runs_as_many_as_its_share_and_takes_none_of_anothers() {
        let permits = Permits::new(2);
        let (amy, bob) = (agent("amy"), agent("bob"));
        let take = |agent| permits.take(agent).now_or_never().map(Result::unwrap);
        let held = [take(&amy).unwrap(), take(&amy).unwrap()];
        assert!(take(&amy).is_none());
        assert!(take(&bob).is_some());
        let [first, _second] = held;
        drop(first);
        assert!(take(&amy).is_some());
    }

    #[test]
    fn nothing_is_kept_of_an_agent_that_holds_none() {
        let permits = Permits::new(1);
        for name in ["amy", "bob", "cleo"] {
            drop(permits.take(&agent(name)).now_or_never().unwrap().unwrap());
        }
        assert_eq!(permits.agents.lock().unwrap().len(), 1);
    }
}
