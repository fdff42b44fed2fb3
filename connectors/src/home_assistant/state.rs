//! The present state of an entity, as `get_states`, events and `call_service` tell it.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::instant;
use super::wire::text;

/// A state that was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EntityState {
    pub(super) entity_id: String,
    pub(super) state: String,
    pub(super) attributes: Map<String, Value>,
    pub(super) last_changed: DateTime<Utc>,
    pub(super) last_updated: DateTime<Utc>,
    /// The context of what caused it.
    pub(super) context_id: String,
}

impl EntityState {
    /// Reads one; `None` for what is none.
    pub(super) fn read(value: &Value) -> Option<Self> {
        let attributes = value.get("attributes").and_then(Value::as_object);
        let context = value.get("context").unwrap_or(&Value::Null);
        let last_changed = instant::read(value.get("last_changed")?)?;
        let last_updated = value.get("last_updated").and_then(instant::read);
        Some(Self {
            entity_id: text(value, "entity_id")?.to_owned(),
            state: text(value, "state")?.to_owned(),
            attributes: attributes.cloned().unwrap_or_default(),
            last_changed,
            last_updated: last_updated.unwrap_or(last_changed),
            context_id: text(context, "id").unwrap_or_default().to_owned(),
        })
    }

    /// A text among its attributes.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).and_then(Value::as_str)
    }

    /// The bits of what it can do.
    pub(super) fn supported_features(&self) -> i64 {
        let bits = self.attributes.get("supported_features");
        bits.and_then(Value::as_i64).unwrap_or_default()
    }
}

/// The part of an entity's id before its point.
pub(super) fn domain_of(entity_id: &str) -> &str {
    entity_id.split_once('.').map_or("", |(domain, _)| domain)
}

/// A state as a number, when it is one.
pub(super) fn number(state: &str) -> Option<f64> {
    let number: f64 = state.parse().ok()?;
    number.is_finite().then_some(number)
}
