//! What is looked at, and what two looks differ in. Pure but for [`Reading::take`], which reads what is published in memory.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sextant_actors::domain::{AgentName, ConnectionState, Grant};
use sextant_actors::supervise::{ActorState, ActorStatus};
use uuid::Uuid;

use super::console_event::ConsoleEvent;
use crate::http::console::Parts;

/// The state of everything that events tell of.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    written_rows: u64,
    agents: BTreeMap<AgentName, Grant>,
    sessions: BTreeMap<AgentName, usize>,
    connections: BTreeMap<Uuid, ConnectionFacts>,
    actors: BTreeMap<String, (ActorState, u64)>,
    uploads: BTreeMap<Uuid, u64>,
    public_address: Option<String>,
}

/// What a page shows of a connection and may change.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ConnectionFacts {
    label: String,
    state: ConnectionState,
    health: String,
    has_secret: bool,
    last_success_at: Option<DateTime<Utc>>,
}

impl Reading {
    /// Looks at what is published now.
    pub(super) async fn take(parts: &Parts) -> Self {
        let grants = parts.grants.list().into_iter();
        let mut sessions = BTreeMap::new();
        for session in parts.sessions.list(None).await {
            *sessions.entry(session.agent).or_insert(0) += 1;
        }
        let connections = parts.connections.snapshot();
        let connections = connections.values().map(|connection| {
            let facts = ConnectionFacts {
                label: connection.label.clone(),
                state: connection.state,
                health: connection.health.clone(),
                has_secret: connection.secret.is_some(),
                last_success_at: connection.last_success_at,
            };
            (connection.id, facts)
        });
        let address = parts.bridge.exposure().address();
        let actors = parts.board.read().into_iter().map(facts_of_actor);
        Self {
            written_rows: parts.audit.stats().written_rows,
            agents: grants.map(|grant| (grant.agent.clone(), grant)).collect(),
            sessions,
            connections: connections.collect(),
            actors: actors.collect(),
            uploads: parts.uploads.revisions(),
            public_address: address.map(|address| address.to_string()),
        }
    }

    /// Rows of the audit log that were committed since.
    pub(super) fn rows_since(&self, before: &Self) -> u64 {
        self.written_rows.saturating_sub(before.written_rows)
    }

    /// What has changed since, but for the audit log.
    pub(super) fn changes_since(&self, before: &Self) -> Vec<ConsoleEvent> {
        let agents = changed(&before.agents, &self.agents).map(|name| ConsoleEvent::Agent {
            name: name.to_string(),
        });
        let sessions =
            changed(&before.sessions, &self.sessions).map(|name| ConsoleEvent::AgentSessions {
                name: name.to_string(),
                count: self.sessions.get(name).copied().unwrap_or(0),
            });
        let connections = changed(&before.connections, &self.connections)
            .map(|id| ConsoleEvent::Connection { id: id.to_string() });
        let actors = changed(&before.actors, &self.actors).filter_map(|id| {
            let (state, restarts) = *self.actors.get(id)?;
            Some(ConsoleEvent::Actor {
                id: id.clone(),
                state: word(state),
                restarts,
            })
        });
        let uploads = changed(&before.uploads, &self.uploads)
            .map(|id| ConsoleEvent::Upload { id: id.to_string() });
        agents
            .chain(sessions)
            .chain(connections)
            .chain(actors)
            .chain(uploads)
            .chain(self.moved_since(before))
            .collect()
    }
}

impl Reading {
    fn moved_since(&self, before: &Self) -> Option<ConsoleEvent> {
        let url = self.public_address.clone();
        (self.public_address != before.public_address).then_some(ConsoleEvent::Exposure { url })
    }
}

fn facts_of_actor(actor: ActorStatus) -> (String, (ActorState, u64)) {
    (actor.id(), (actor.state, actor.restarts))
}

const fn word(state: ActorState) -> &'static str {
    match state {
        ActorState::Running => "running",
        ActorState::Restarting => "restarting",
        ActorState::Parked => "parked",
        ActorState::Stopped => "stopped",
        ActorState::Failed => "failed",
    }
}

/// The names whose values differ, or that stand in one of the two only.
fn changed<'a, K: Ord, V: PartialEq>(
    before: &'a BTreeMap<K, V>,
    after: &'a BTreeMap<K, V>,
) -> impl Iterator<Item = &'a K> {
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    let other = after
        .iter()
        .filter(|(name, value)| before.get(name) != Some(*value));
    gone.chain(other.map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_other_or_gone_has_changed() {
        let before = BTreeMap::from([("a", 1), ("b", 1), ("c", 1)]);
        let after = BTreeMap::from([("a", 1), ("b", 2), ("d", 1)]);
        let names: Vec<_> = changed(&before, &after).copied().collect();
        assert_eq!(names, ["c", "b", "d"]);
        assert_eq!(changed(&after, &after).next(), None);
    }

    #[test]
    fn the_end_of_the_last_session_and_a_restart_are_told() {
        let name = "laptop".parse::<AgentName>().unwrap();
        let before = Reading {
            sessions: BTreeMap::from([(name, 2)]),
            actors: BTreeMap::from([("grants".to_owned(), (ActorState::Restarting, 1))]),
            ..Reading::default()
        };
        let after = Reading {
            written_rows: 7,
            actors: BTreeMap::from([("grants".to_owned(), (ActorState::Running, 1))]),
            ..Reading::default()
        };
        let sessions = ConsoleEvent::AgentSessions {
            name: "laptop".to_owned(),
            count: 0,
        };
        let actor = ConsoleEvent::Actor {
            id: "grants".to_owned(),
            state: "running",
            restarts: 1,
        };
        assert_eq!(after.changes_since(&before), [sessions, actor]);
        assert_eq!(after.rows_since(&before), 7);
    }
}
