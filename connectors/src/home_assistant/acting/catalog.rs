//! The services of a home, crossed with the entities that exist.

use serde_json::Value;

use super::super::snapshot::HomeSnapshot;
use super::super::state::{EntityState, domain_of};
use super::super::wire::{malformed, text};
use super::domains::ActionDomains;
use super::filter::{features_fit, several};
use super::selector::{self, AdmittedEntities};
use crate::action::{ActionCatalog, ActionEntry};
use crate::failure::SourceFailure;

/// The actions there are. A service that acts on no entity, or on any whatever its domain, is none.
pub(super) fn make(
    services: &Value,
    snapshot: &HomeSnapshot,
    domains: &ActionDomains,
) -> Result<ActionCatalog, SourceFailure> {
    let services = services.as_object().ok_or_else(malformed)?;
    let admitted = domains.admitted(&snapshot.states);
    let mut actions = Vec::new();
    for (domain, services) in services.iter().filter(|(domain, _)| domains.has(domain)) {
        let services = services.as_object().into_iter().flatten();
        let known = services.filter_map(|(name, service)| {
            let name = format!("home.{domain}.{name}");
            entry(name, service, snapshot, &admitted)
        });
        actions.extend(known);
    }
    actions.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(ActionCatalog { actions })
}

fn entry(
    name: String,
    service: &Value,
    snapshot: &HomeSnapshot,
    admitted: &AdmittedEntities<'_>,
) -> Option<ActionEntry> {
    let filters = service.get("target")?.get("entity")?;
    let mut targets: Vec<&EntityState> = admitted
        .values()
        .filter(|state| is_target(filters, state, snapshot))
        .copied()
        .collect();
    if targets.is_empty() {
        return None;
    }
    targets.sort_by(|left, right| left.entity_id.cmp(&right.entity_id));
    let mut parameters = Vec::new();
    for (field_name, field) in fields(service) {
        match selector::parameter(field_name, field, &targets, admitted) {
            Some(parameter) => parameters.push(parameter),
            // Without it the service cannot be called.
            None if field.get("required").and_then(Value::as_bool) == Some(true) => return None,
            None => {}
        }
    }
    let described = |part: &str| text(service, part).unwrap_or_default().to_owned();
    Some(ActionEntry {
        title: described("name"),
        description: described("description"),
        entities: targets
            .iter()
            .map(|state| state.entity_id.clone())
            .collect(),
        answers: service.get("response").is_some_and(Value::is_object),
        name,
        parameters,
    })
}

/// The fields; those of a section (from Home Assistant 2024.8 on) stand among the others.
fn fields(service: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let fields = service.get("fields").and_then(Value::as_object);
    fields.into_iter().flatten().flat_map(|(name, field)| {
        let section = field.get("fields").and_then(Value::as_object);
        let alone = section.is_none().then_some((name, field));
        alone.into_iter().chain(section.into_iter().flatten())
    })
}

/// Whether one of the filters of a service fits an entity. A filter that names no domain fits nothing here.
fn is_target(filters: &Value, state: &EntityState, snapshot: &HomeSnapshot) -> bool {
    let filters = match filters {
        Value::Array(filters) => filters.as_slice(),
        filter => std::slice::from_ref(filter),
    };
    let registered = snapshot.registry.entities.get(&state.entity_id);
    let platform = registered.and_then(|entity| entity.platform.as_deref());
    let is_one = |wanted: Option<&Value>, had: &str| {
        wanted.is_none_or(|wanted| several(Some(wanted)).contains(&had))
    };
    filters.iter().any(|filter| {
        filter.get("domain").is_some()
            && is_one(filter.get("domain"), domain_of(&state.entity_id))
            && is_one(filter.get("integration"), platform.unwrap_or_default())
            && is_one(
                filter.get("device_class"),
                state.attribute("device_class").unwrap_or_default(),
            )
            && features_fit(filter, state)
    })
}
