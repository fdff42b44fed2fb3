//! Room for answers: how many bytes of them one agent may have under way, over both ports, from before anything is read for an answer
//! until its last byte has been handed over. What a client does not read is held in memory, so that it has to have a bound.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sextant_actors::domain::AgentName;

/// Bytes of answers that one agent may have under way.
pub const ANSWER_BYTES_PER_AGENT_MAX: usize = 16 * 1024 * 1024;
/// More than any answer comes to that has no budget of its own: of `get_schema`, of `describe_context`.
pub const SMALL_BYTES_MAX: usize = 64 * 1024;

/// What is told to an agent that has no room left.
pub const NO_ROOM: &str = "as many bytes of answers are under way to this agent as may be: nothing is wrong with the call, read the answers before it to their end, then make it again";

/// The bytes that are under way, by agent.
#[derive(Clone, Default)]
pub struct Rooms(Arc<Mutex<HashMap<AgentName, usize>>>);

/// Room for one answer, given back when it is dropped.
pub struct Room {
    rooms: Rooms,
    agent: AgentName,
    bytes: usize,
}

impl Rooms {
    /// Room for an answer of at most so many bytes; none if the agent has not so many left.
    pub fn reserve(&self, agent: &AgentName, bytes: usize) -> Option<Room> {
        let mut taken = self.lock();
        let own = taken.get(agent).copied().unwrap_or_default();
        if bytes > ANSWER_BYTES_PER_AGENT_MAX.saturating_sub(own) {
            return None;
        }
        taken.insert(agent.clone(), own + bytes);
        Some(Room {
            rooms: self.clone(),
            agent: agent.clone(),
            bytes,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AgentName, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    /// What the answer came to in the end is held for it, and no more.
    pub fn settle(&mut self, bytes: usize) {
        let mut taken = self.rooms.lock();
        if let Some(own) = taken.get_mut(&self.agent) {
            *own = own.saturating_sub(self.bytes).saturating_add(bytes);
            self.bytes = bytes;
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if let Entry::Occupied(mut own) = self.rooms.lock().entry(self.agent.clone()) {
            *own.get_mut() = own.get().saturating_sub(self.bytes);
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER_BYTES: usize = ANSWER_BYTES_PER_AGENT_MAX / 16;

    fn agent(name: &str) -> AgentName {
        name.parse().unwrap()
    }

    #[test]
    fn an_agents_answers_have_one_bound_together_and_take_nothing_of_anothers() {
        let rooms = Rooms::default();
        let (amy, bob) = (agent("amy"), agent("bob"));
        let sixteen: Option<Vec<Room>> =
            (0..16).map(|_| rooms.reserve(&amy, ANSWER_BYTES)).collect();
        let mut sixteen = sixteen.unwrap();
        assert!(rooms.reserve(&amy, 1).is_none());
        assert!(rooms.reserve(&bob, ANSWER_BYTES_PER_AGENT_MAX).is_some());
        sixteen.pop();
        assert!(rooms.reserve(&amy, ANSWER_BYTES + 1).is_none());
        assert!(rooms.reserve(&amy, ANSWER_BYTES).is_some());
        drop(sixteen);
        assert!(rooms.lock().is_empty());
    }

    #[test]
    fn what_was_reserved_and_not_needed_is_given_back_at_once() {
        let rooms = Rooms::default();
        let amy = agent("amy");
        let mut room = rooms.reserve(&amy, ANSWER_BYTES_PER_AGENT_MAX).unwrap();
        room.settle(10);
        assert!(
            rooms
                .reserve(&amy, ANSWER_BYTES_PER_AGENT_MAX - 9)
                .is_none()
        );
        assert!(
            rooms
                .reserve(&amy, ANSWER_BYTES_PER_AGENT_MAX - 10)
                .is_some()
        );
        drop(room);
        assert!(rooms.lock().is_empty());
    }
}
