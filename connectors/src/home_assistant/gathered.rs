//! Events of about a second: of each entity the last state, of the past every change of state.

use std::collections::{BTreeMap, VecDeque};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::registry::HomeRegistry;
use super::state::EntityState;
use super::wire::text;
use super::{instant, items, pages};
use crate::digest_key::within_limit;
use crate::limits::HOME_PAGE_ITEMS_MAX;
use crate::round::{ItemChange, Page, SourceItem};

/// What happened.
#[derive(Default)]
pub(super) struct Gathered {
    /// The state that each entity has now; `None` if it has none any more.
    entities: BTreeMap<String, Option<EntityState>>,
    /// The states that were taken, with the entities that took them.
    past: Vec<(String, String, DateTime<Utc>)>,
    /// Something was registered, renamed, moved or removed.
    pub(super) has_new_registries: bool,
}

impl Gathered {
    /// Takes an event. What is none of those that were asked for says nothing.
    pub(super) fn take(&mut self, event: Value) {
        let data = event.get("data").unwrap_or(&Value::Null);
        match text(&event, "event_type") {
            Some("state_changed") => self.take_state(data, event.get("time_fired")),
            Some(_) => self.has_new_registries = true,
            None => {}
        }
    }

    /// Whether it fills a page.
    pub(super) fn is_full(&self) -> bool {
        self.entities.len().max(self.past.len()) >= HOME_PAGE_ITEMS_MAX
    }

    /// The pages of the present. Where everything was read anew, that is newer.
    pub(super) fn pages(&self, registry: &HomeRegistry, now: DateTime<Utc>) -> VecDeque<Page> {
        let position = json!({"read_at": now.to_rfc3339()});
        let changes = self.entities.iter();
        let changes = changes.map(|(id, state)| change(id, state.as_ref(), registry));
        pages::of_changes(items::ENTITIES, &position, changes)
    }

    /// The past.
    pub(super) fn past(&self, registry: &HomeRegistry) -> Vec<(DateTime<Utc>, SourceItem)> {
        let past = self.past.iter().map(|(entity_id, state, at)| {
            let entity_key = registry.key(entity_id);
            (*at, items::past_state(entity_key, state, *at))
        });
        past.collect()
    }

    fn take_state(&mut self, data: &Value, fired: Option<&Value>) {
        let Some(entity_id) = text(data, "entity_id") else {
            return;
        };
        let state = match data.get("new_state") {
            None | Some(Value::Null) => None,
            // A state that cannot be read leaves the one that is stored.
            Some(state) => match EntityState::read(state) {
                None => return,
                state => state,
            },
        };
        if let Some((taken, at)) = taken(state.as_ref(), fired) {
            self.past.push((entity_id.to_owned(), taken, at));
        }
        self.entities.insert(entity_id.to_owned(), state);
    }
}

/// The state that was taken, and when. Attributes alone leave both as they were; what has no state any more took the empty one,
/// as the recorder keeps it.
fn taken(state: Option<&EntityState>, fired: Option<&Value>) -> Option<(String, DateTime<Utc>)> {
    match state {
        Some(state) if state.last_changed == state.last_updated => {
            Some((state.state.clone(), state.last_changed))
        }
        Some(_) => None,
        None => Some((String::new(), instant::read(fired?)?)),
    }
}

/// An entity without a state stays as long as it is registered.
fn change(entity_id: &str, state: Option<&EntityState>, registry: &HomeRegistry) -> ItemChange {
    if state.is_some() || registry.entities.contains_key(entity_id) {
        return ItemChange::Put(items::entity(entity_id, state, registry));
    }
    ItemChange::Remove {
        key: within_limit(entity_id),
    }
}
