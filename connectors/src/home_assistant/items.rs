//! What a home has, as rows: `home.areas`, `home.devices`, `home.entities`, `home.history`.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use sextant_formats::RecordFields;

use super::instant;
use super::key;
use super::registry::{HomeRegistry, RegisteredArea, RegisteredDevice};
use super::state::{EntityState, domain_of, number};
use crate::digest_key::{digest, within_limit};
use crate::limits::HOME_ATTRIBUTES_BYTES_MAX;
use crate::record_fields::put;
use crate::round::{SourceItem, SourceRecord};

/// The scope of entities. Areas and devices are containers.
pub(super) const ENTITIES: &str = "entities";

/// The scope of past states.
pub const HISTORY: &str = "history";

/// Attributes that hold a key to a camera or a picture.
const SECRET_ATTRIBUTES: [&str; 2] = ["access_token", "entity_picture"];

/// States that say that an entity cannot be reached.
const UNAVAILABLE: &str = "unavailable";

/// A room.
pub(super) fn area(area: &RegisteredArea, registry: &HomeRegistry) -> SourceItem {
    let floor = area.floor_id.as_ref();
    let floor = floor.map(|id| registry.floors.get(id).unwrap_or(id));
    let mut fields = RecordFields::new();
    put(&mut fields, "name", Some(area.name.as_str()));
    put(&mut fields, "floor", floor.map(String::as_str));
    let item_key = format!("area:{}", area.area_id);
    item(&item_key, "home.areas", &area.area_id, None, fields)
}

/// A device.
pub(super) fn device(device: &RegisteredDevice) -> SourceItem {
    let mut fields = RecordFields::new();
    let name = device.name_by_user.as_ref().or(device.name.as_ref());
    put(&mut fields, "name", name.map(String::as_str));
    put(&mut fields, "manufacturer", device.manufacturer.as_deref());
    put(&mut fields, "model", device.model.as_deref());
    put(&mut fields, "sw_version", device.sw_version.as_deref());
    let area = device.area_id.as_deref().map(within_limit);
    put(&mut fields, "area_id", area);
    let item_key = format!("device:{}", device.id);
    item(&item_key, "home.devices", &device.id, None, fields)
}

/// An entity with its state, if it has one: what is disabled has none.
pub(super) fn entity(
    entity_id: &str,
    state: Option<&EntityState>,
    registry: &HomeRegistry,
) -> SourceItem {
    let mut fields = RecordFields::new();
    put(&mut fields, "entity_id", Some(entity_id));
    put(&mut fields, "domain", Some(domain_of(entity_id)));
    put_registered(&mut fields, entity_id, registry);
    if let Some(state) = state {
        put_state(&mut fields, state);
    }
    let is_available = state.is_some_and(|state| state.state != UNAVAILABLE);
    put(&mut fields, "is_available", Some(is_available));
    let entity_key = registry.key(entity_id);
    item(entity_key, "home.entities", entity_key, None, fields)
}

/// A state that an entity took.
pub(super) fn past_state(entity_key: &str, state: &str, changed_at: DateTime<Utc>) -> SourceItem {
    let mut fields = RecordFields::new();
    put(&mut fields, "entity_id", Some(within_limit(entity_key)));
    put(&mut fields, "state", Some(state));
    put(&mut fields, "state_num", number(state));
    put(
        &mut fields,
        "changed_at",
        Some(instant::written(changed_at)),
    );
    let own = key::of_history(entity_key, changed_at);
    item(&own, "home.history", &own, Some(changed_at), fields)
}

fn put_registered(fields: &mut RecordFields, entity_id: &str, registry: &HomeRegistry) {
    let Some(registered) = registry.entities.get(entity_id) else {
        return;
    };
    let device = registered.device_id.as_ref();
    let device = device.and_then(|id| registry.devices.get(id));
    // As the home itself shows it: an entity stands where its device does, unless it was moved.
    let area = registered.area_id.as_ref();
    let area = area.or(device.and_then(|device| device.area_id.as_ref()));
    let name = registered
        .name
        .as_ref()
        .or(registered.original_name.as_ref());
    put(fields, "name", name.map(String::as_str));
    put(fields, "area_id", area.map(within_limit));
    put(
        fields,
        "device_id",
        device.map(|device| within_limit(&device.id)),
    );
    put(fields, "is_hidden", Some(registered.hidden_by.is_some()));
    put(
        fields,
        "is_disabled",
        Some(registered.disabled_by.is_some()),
    );
    put(fields, "category", registered.entity_category.as_deref());
}

fn put_state(fields: &mut RecordFields, state: &EntityState) {
    put(fields, "name", state.attribute("friendly_name"));
    put(fields, "device_class", state.attribute("device_class"));
    put(fields, "unit", state.attribute("unit_of_measurement"));
    put(fields, "state", Some(state.state.as_str()));
    put(fields, "state_num", number(&state.state));
    put(fields, "attributes", attributes(state));
    put(
        fields,
        "last_changed",
        Some(instant::written(state.last_changed)),
    );
    put(
        fields,
        "last_updated",
        Some(instant::written(state.last_updated)),
    );
    let features = i32::try_from(state.supported_features()).ok();
    let has_features = state.attributes.contains_key("supported_features");
    put(
        fields,
        "supported_features",
        features.filter(|_| has_features),
    );
}

/// All that is no secret and not too long.
fn attributes(state: &EntityState) -> Option<Value> {
    let is_kept = |name: &str| !SECRET_ATTRIBUTES.contains(&name);
    let kept = state.attributes.iter().filter(|(name, _)| is_kept(name));
    let kept: Map<String, Value> = kept
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let kept = Value::Object(kept);
    (kept.to_string().len() <= HOME_ATTRIBUTES_BYTES_MAX).then_some(kept)
}

fn item(
    item_key: &str,
    target: &'static str,
    source_id: &str,
    at: Option<DateTime<Utc>>,
    fields: RecordFields,
) -> SourceItem {
    let record = SourceRecord {
        target,
        source_id: within_limit(source_id),
        fields,
    };
    SourceItem {
        key: within_limit(item_key),
        version: digest(Value::Object(record.fields.clone()).to_string()),
        at,
        holds: None,
        records: vec![record],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(attributes: &Value) -> RecordFields {
        let state = json!({
            "entity_id": "camera.door", "state": "unavailable", "attributes": attributes,
            "last_changed": "2026-01-02T03:04:05.678901+00:00", "last_updated": 1_767_323_045.678_901,
        });
        let state = EntityState::read(&state).unwrap();
        let item = entity("camera.door", Some(&state), &HomeRegistry::default());
        assert_eq!(item.key, "camera.door");
        item.records.into_iter().next().unwrap().fields
    }

    #[test]
    fn keys_to_a_camera_are_not_kept() {
        let row = row(&json!({
            "access_token": "seeded", "entity_picture": "/api/camera_proxy?token=seeded",
            "friendly_name": "Door", "supported_features": 3,
        }));
        assert!(!Value::Object(row.clone()).to_string().contains("seeded"));
        assert_eq!(row["name"], "Door");
        assert_eq!(row["supported_features"], 3);
        assert_eq!(row["is_available"], false);
        assert_eq!(row["last_changed"], "2026-01-02T03:04:05.678901Z");
        assert_eq!(row["last_changed"], row["last_updated"]);
    }

    #[test]
    fn attributes_that_are_too_long_are_left_out() {
        let text = "x".repeat(HOME_ATTRIBUTES_BYTES_MAX);
        assert!(!row(&json!({"text": text})).contains_key("attributes"));
    }
}
