//! What a home has registered: areas, floors, devices, entities.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::session::HomeSession;
use super::wire::{malformed, text};
use crate::digest_key::within_limit;
use crate::failure::{FailureKind, SourceFailure};
use crate::round::SkippedItem;

/// A room.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(super) struct RegisteredArea {
    pub(super) area_id: String,
    pub(super) name: String,
    pub(super) floor_id: Option<String>,
}

/// A device.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(super) struct RegisteredDevice {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) name_by_user: Option<String>,
    pub(super) manufacturer: Option<String>,
    pub(super) model: Option<String>,
    pub(super) sw_version: Option<String>,
    pub(super) area_id: Option<String>,
}

/// An entity, whether it has a state or not.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub(super) struct RegisteredEntity {
    /// Stays when the entity is renamed.
    pub(super) id: String,
    pub(super) entity_id: String,
    pub(super) name: Option<String>,
    pub(super) original_name: Option<String>,
    pub(super) area_id: Option<String>,
    pub(super) device_id: Option<String>,
    pub(super) platform: Option<String>,
    pub(super) hidden_by: Option<String>,
    pub(super) disabled_by: Option<String>,
    pub(super) entity_category: Option<String>,
}

/// Everything that is registered.
#[derive(Clone, Debug, Default)]
pub(super) struct HomeRegistry {
    pub(super) areas: Vec<RegisteredArea>,
    /// Names by id.
    pub(super) floors: HashMap<String, String>,
    pub(super) devices: HashMap<String, RegisteredDevice>,
    /// By entity id.
    pub(super) entities: HashMap<String, RegisteredEntity>,
    /// Entries that could not be read.
    pub(super) skipped: Vec<SkippedItem>,
}

impl HomeRegistry {
    /// Asks for all of it.
    pub(super) async fn read(session: &HomeSession) -> Result<Self, SourceFailure> {
        let mut skipped = Vec::new();
        let areas = entries(list(session, "area").await?, "area_id", &mut skipped)?;
        let floors = floors(session).await?;
        let devices = entries(list(session, "device").await?, "id", &mut skipped)?;
        let entities = entries(list(session, "entity").await?, "id", &mut skipped)?;
        let by_id = |device: RegisteredDevice| (device.id.clone(), device);
        let by_entity_id = |entity: RegisteredEntity| (entity.entity_id.clone(), entity);
        Ok(Self {
            areas,
            floors,
            devices: devices.into_iter().map(by_id).collect(),
            entities: entities.into_iter().map(by_entity_id).collect(),
            skipped,
        })
    }

    /// The key of an entity: its registry id, since that stays when it is renamed; its entity id when it has no other.
    pub(super) fn key<'a>(&'a self, entity_id: &'a str) -> &'a str {
        let registered = self.entities.get(entity_id);
        registered.map_or(entity_id, |entity| &entity.id)
    }
}

async fn list(session: &HomeSession, of: &str) -> Result<Value, SourceFailure> {
    let question = json!({"type": format!("config/{of}_registry/list")});
    session.ask(question).await
}

/// A home before 2024.3 knows no floors.
async fn floors(session: &HomeSession) -> Result<HashMap<String, String>, SourceFailure> {
    let listed = match list(session, "floor").await {
        Err(failure) if failure.kind == FailureKind::Rejected => return Ok(HashMap::new()),
        listed => listed?,
    };
    let floors = listed.as_array().ok_or_else(malformed)?.iter();
    let named = |floor: &Value| {
        let id = text(floor, "floor_id")?.to_owned();
        Some((id, text(floor, "name")?.to_owned()))
    };
    Ok(floors.filter_map(named).collect())
}

/// Reads each entry; what cannot be read is named by its id.
fn entries<T: DeserializeOwned>(
    listed: Value,
    id: &str,
    skipped: &mut Vec<SkippedItem>,
) -> Result<Vec<T>, SourceFailure> {
    let Value::Array(listed) = listed else {
        return Err(malformed());
    };
    let mut read = Vec::with_capacity(listed.len());
    for entry in listed {
        let key = text(&entry, id).map(within_limit);
        match serde_json::from_value(entry) {
            Ok(entry) => read.push(entry),
            Err(_) => skipped.push(SkippedItem {
                key: key.unwrap_or_default(),
                reason: "an entry of the registry that cannot be read".to_owned(),
            }),
        }
    }
    Ok(read)
}
