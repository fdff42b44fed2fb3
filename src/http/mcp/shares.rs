//! What one agent may hold of the port at one time, so that none can take what the others need: connections, idle ones and streams
//! among them, and bytes of bodies that are arriving or being read.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sextant_actors::domain::AgentName;

use super::fault::Fault;
use super::limits::BODY_BYTES_PER_AGENT_MAX;

#[derive(Clone, Copy, Default)]
struct Held {
    connections: usize,
    body_bytes: usize,
}

/// What the agents hold.
#[derive(Clone)]
pub struct Shares {
    held: Arc<Mutex<HashMap<AgentName, Held>>>,
    connections_max: usize,
}

/// The place of one connection: of the agent whose request came over it last, until it closes. A connection that lies idle costs the
/// others as much as one that is served.
#[derive(Default)]
pub struct Seat(RefCell<Option<Taken>>);

/// A place that is given back when it is dropped.
struct Taken {
    shares: Shares,
    agent: AgentName,
}

/// A request's body as it grows; given back when it is dropped.
pub struct Upload {
    shares: Shares,
    agent: AgentName,
    bytes: usize,
}

impl Shares {
    pub fn new(connections_max: usize) -> Self {
        Self {
            held: Arc::default(),
            connections_max,
        }
    }

    /// Makes the connection this agent's, and begins with the request that came over it.
    ///
    /// # Errors
    /// [`Fault::Crowded`].
    pub fn enter(&self, seat: &Seat, agent: &AgentName) -> Result<Upload, Fault> {
        let mut taken = seat.0.borrow_mut();
        if taken.as_ref().is_none_or(|taken| taken.agent != *agent) {
            *taken = Some(self.take(agent)?);
        }
        Ok(Upload {
            shares: self.clone(),
            agent: agent.clone(),
            bytes: 0,
        })
    }

    fn take(&self, agent: &AgentName) -> Result<Taken, Fault> {
        let mut held = self.lock();
        let own = held.entry(agent.clone()).or_default();
        if own.connections >= self.connections_max {
            return Err(Fault::Crowded);
        }
        own.connections += 1;
        Ok(Taken {
            shares: self.clone(),
            agent: agent.clone(),
        })
    }

    /// Gives back, and forgets an agent that holds nothing.
    fn give_back(&self, agent: &AgentName, part: Held) {
        if let Entry::Occupied(mut own) = self.lock().entry(agent.clone()) {
            let held = own.get_mut();
            held.connections = held.connections.saturating_sub(part.connections);
            held.body_bytes = held.body_bytes.saturating_sub(part.body_bytes);
            if held.connections == 0 && held.body_bytes == 0 {
                own.remove();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AgentName, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Upload {
    /// Room for so many more bytes; a body that has none left holds nothing any more.
    ///
    /// # Errors
    /// [`Fault::Crowded`].
    pub fn take(&mut self, bytes: usize) -> Result<(), Fault> {
        let mut held = self.shares.lock();
        let own = held.entry(self.agent.clone()).or_default();
        if bytes > BODY_BYTES_PER_AGENT_MAX.saturating_sub(own.body_bytes) {
            // Given back at once: of two that reach the bound together, the first makes room for the second.
            let given_back = std::mem::take(&mut self.bytes);
            own.body_bytes = own.body_bytes.saturating_sub(given_back);
            return Err(Fault::Crowded);
        }
        own.body_bytes += bytes;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        let part = Held {
            body_bytes: self.bytes,
            ..Held::default()
        };
        self.shares.give_back(&self.agent, part);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let part = Held {
            connections: 1,
            ..Held::default()
        };
        self.shares.give_back(&self.agent, part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &str) -> AgentName {
        name.parse().unwrap()
    }

    #[test]
    fn an_agent_that_holds_its_connections_takes_none_of_anothers() {
        let shares = Shares::new(2);
        let (amy, bob) = (agent("amy"), agent("bob"));
        let seats: [Seat; 4] = Default::default();
        for seat in &seats[..2] {
            // However many requests come over it, and long after they were answered.
            drop(shares.enter(seat, &amy).unwrap());
            drop(shares.enter(seat, &amy).unwrap());
        }
        assert_eq!(shares.enter(&seats[2], &amy).err(), Some(Fault::Crowded));
        assert!(shares.enter(&seats[3], &bob).is_ok());
        let [first, ..] = seats;
        drop(first);
        assert!(shares.enter(&Seat::default(), &amy).is_ok());
    }

    #[test]
    fn a_connection_is_the_last_agents_that_used_it() {
        let shares = Shares::new(1);
        let (amy, bob) = (agent("amy"), agent("bob"));
        let (first, second) = (Seat::default(), Seat::default());
        drop(shares.enter(&first, &amy).unwrap());
        drop(shares.enter(&first, &bob).unwrap());
        assert!(shares.enter(&second, &amy).is_ok());
        assert_eq!(shares.enter(&second, &bob).err(), Some(Fault::Crowded));
    }

    #[test]
    fn an_agents_bodies_together_have_a_bound_of_their_own() {
        let shares = Shares::new(2);
        let (amy, bob) = (agent("amy"), agent("bob"));
        let seats: [Seat; 3] = Default::default();
        let mut first = shares.enter(&seats[0], &amy).unwrap();
        let mut second = shares.enter(&seats[1], &amy).unwrap();
        assert_eq!(first.take(BODY_BYTES_PER_AGENT_MAX), Ok(()));
        assert_eq!(second.take(1), Err(Fault::Crowded));
        assert_eq!(shares.enter(&seats[2], &bob).unwrap().take(1), Ok(()));
        drop(first);
        assert_eq!(second.take(BODY_BYTES_PER_AGENT_MAX), Ok(()));
    }

    #[test]
    fn a_body_that_is_refused_makes_room_for_those_that_are_under_way() {
        let shares = Shares::new(2);
        let amy = agent("amy");
        let seats: [Seat; 2] = Default::default();
        let mut first = shares.enter(&seats[0], &amy).unwrap();
        let mut second = shares.enter(&seats[1], &amy).unwrap();
        assert_eq!(first.take(BODY_BYTES_PER_AGENT_MAX - 2), Ok(()));
        assert_eq!(second.take(2), Ok(()));
        assert_eq!(second.take(1), Err(Fault::Crowded));
        assert_eq!(first.take(2), Ok(()));
        drop(second);
        assert_eq!(first.take(1), Err(Fault::Crowded));
    }

    #[test]
    fn nothing_is_kept_of_an_agent_that_holds_nothing() {
        let shares = Shares::new(2);
        let seat = Seat::default();
        let mut upload = shares.enter(&seat, &agent("amy")).unwrap();
        assert_eq!(upload.take(1), Ok(()));
        drop(seat);
        assert_eq!(shares.lock().len(), 1);
        drop(upload);
        assert!(shares.lock().is_empty());
    }
}
