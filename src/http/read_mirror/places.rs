//! How much of the port one agent may hold: requests that are not answered to their end.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sextant_actors::domain::AgentName;

use crate::http::problem::{Code, Problem};

/// Requests that one agent may have under way.
const REQUESTS_PER_AGENT_MAX: usize = 32;

/// The places that are taken, by agent.
#[derive(Clone, Default)]
pub struct Places(Arc<Mutex<HashMap<AgentName, usize>>>);

/// One request's place; free again when this is dropped.
pub struct Place {
    places: Places,
    agent: AgentName,
}

impl Places {
    /// A place for one more request of this agent.
    ///
    /// # Errors
    /// When it has all of its places taken.
    pub fn enter(&self, agent: &AgentName) -> Result<Place, Problem> {
        let mut taken = self.lock();
        let own = taken.entry(agent.clone()).or_default();
        if *own >= REQUESTS_PER_AGENT_MAX {
            return Err(Problem::new(
                Code::Unavailable,
                "the agent has as many requests under way as it may have: retry shortly",
            ));
        }
        *own += 1;
        Ok(Place {
            places: self.clone(),
            agent: agent.clone(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AgentName, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Entry::Occupied(mut own) = self.places.lock().entry(self.agent.clone()) {
            *own.get_mut() = own.get().saturating_sub(1);
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_agent_takes_no_more_than_its_places_and_none_of_anothers() {
        let places = Places::default();
        let [claude, other] = ["claude", "other"].map(|name| name.parse::<AgentName>().unwrap());
        let mut held: Vec<Place> = (0..REQUESTS_PER_AGENT_MAX)
            .map(|_| places.enter(&claude).unwrap())
            .collect();
        assert!(places.enter(&claude).is_err());
        assert!(places.enter(&other).is_ok());
        held.pop();
        assert!(places.enter(&claude).is_ok());
        drop(held);
        assert!(places.lock().is_empty());
    }
}
