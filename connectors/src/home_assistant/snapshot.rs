//! Everything that a home has at one instant.

use std::collections::{BTreeSet, HashMap, VecDeque};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::registry::HomeRegistry;
use super::session::HomeSession;
use super::state::EntityState;
use super::wire::{malformed, text};
use super::{items, pages};
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::{HOME_START_DEADLINE, HOME_START_POLL};
use crate::round::{CONTAINERS, Page, SkippedItem, SourceItem};

/// What is registered, and the states, by entity id.
pub(super) struct HomeSnapshot {
    pub(super) registry: HomeRegistry,
    pub(super) states: HashMap<String, EntityState>,
    unreadable_states: Vec<SkippedItem>,
}

impl HomeSnapshot {
    /// Asks a home that runs for all of it.
    pub(super) async fn read(session: &HomeSession) -> Result<Self, SourceFailure> {
        let registry = HomeRegistry::read(session).await?;
        let listed = session.ask(json!({"type": "get_states"})).await?;
        let mut snapshot = Self {
            registry,
            states: HashMap::new(),
            unreadable_states: Vec::new(),
        };
        for state in listed.as_array().ok_or_else(malformed)? {
            snapshot.take(state);
        }
        // A home has at least a sun and a zone: nothing is what one says that has not begun.
        if snapshot.states.is_empty() {
            let message = "the home names no entity at all";
            return Err(SourceFailure::new(FailureKind::Unavailable, message));
        }
        Ok(snapshot)
    }

    /// Its pages, of a pass that began then.
    pub(super) fn pages(&self, begun_at: DateTime<Utc>) -> VecDeque<Page> {
        let position = json!({"read_at": begun_at.to_rfc3339()});
        let mut all = pages::of_pass(CONTAINERS, &position, begun_at, self.containers());
        if let Some(page) = all.front_mut() {
            page.skipped.clone_from(&self.registry.skipped);
        }
        let mut entities = pages::of_pass(items::ENTITIES, &position, begun_at, self.entities());
        if let Some(page) = entities.front_mut() {
            page.skipped.clone_from(&self.unreadable_states);
        }
        all.append(&mut entities);
        all
    }

    fn containers(&self) -> Vec<SourceItem> {
        let areas = self.registry.areas.iter();
        let areas = areas.map(|area| items::area(area, &self.registry));
        areas
            .chain(self.registry.devices.values().map(items::device))
            .collect()
    }

    /// Those with a state, and those that are only registered.
    fn entities(&self) -> impl Iterator<Item = SourceItem> {
        let with_state = self.states.keys().chain(self.registry.entities.keys());
        let all: BTreeSet<&String> = with_state.collect();
        let entity = |id: &String| items::entity(id, self.states.get(id), &self.registry);
        all.into_iter().map(entity)
    }

    fn take(&mut self, state: &Value) {
        if let Some(state) = EntityState::read(state) {
            self.states.insert(state.entity_id.clone(), state);
        } else {
            let entity_id = text(state, "entity_id").unwrap_or_default();
            self.unreadable_states.push(SkippedItem {
                key: self.registry.key(entity_id).to_owned(),
                reason: "a state that cannot be read".to_owned(),
            });
        }
    }
}

/// Waits until a home has started. Before that it names only a part of what it has, and nothing may be judged by it.
pub(super) async fn wait_until_running(session: &HomeSession) -> Result<(), SourceFailure> {
    let deadline = Instant::now() + HOME_START_DEADLINE;
    loop {
        let config = session.ask(json!({"type": "get_config"})).await?;
        match text(&config, "state").ok_or_else(malformed)? {
            "RUNNING" => return Ok(()),
            "NOT_RUNNING" | "STARTING" if Instant::now() < deadline => {
                sleep(HOME_START_POLL).await;
            }
            _ => {
                let message = "the home is not running";
                return Err(SourceFailure::new(FailureKind::Unavailable, message));
            }
        }
    }
}
