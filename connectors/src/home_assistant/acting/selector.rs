//! A field of a service, with its selector, as a parameter.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::super::state::{EntityState, domain_of};
use super::super::wire::text;
use super::filter::{features_fit, several};
use crate::action::{ActionParameter, ParameterKind};

/// The entities that may be acted on.
pub(super) type AdmittedEntities<'a> = HashMap<&'a str, &'a EntityState>;

/// Selectors by which an action could reach what it may not act on, or do what is no action of its own.
const REACHING_FURTHER: [&str; 8] = [
    "action",
    "area",
    "condition",
    "device",
    "floor",
    "label",
    "target",
    "trigger",
];

const DURATION: &[&str] = &["days", "hours", "minutes", "seconds", "milliseconds"];
const PLACE: &[&str] = &["latitude", "longitude", "radius"];

/// A field as a parameter; `None` for one that is not offered.
pub(super) fn parameter(
    name: &str,
    field: &Value,
    targets: &[&EntityState],
    admitted: &AdmittedEntities<'_>,
) -> Option<ActionParameter> {
    let (kind, takes_list) = kind(field.get("selector"), admitted)?;
    let understanding = field.get("filter").map(|filter| fitting(filter, targets));
    if understanding.as_ref().is_some_and(BTreeSet::is_empty) {
        return None;
    }
    // All of them is no restriction.
    let entities = understanding.filter(|entities| entities.len() < targets.len());
    Some(ActionParameter {
        name: name.to_owned(),
        description: text(field, "description").unwrap_or_default().to_owned(),
        is_required: field.get("required").and_then(Value::as_bool) == Some(true),
        kind,
        takes_list,
        entities,
    })
}

/// The values that a selector lets choose, and whether it takes a list of them.
fn kind(
    selector: Option<&Value>,
    admitted: &AdmittedEntities<'_>,
) -> Option<(ParameterKind, bool)> {
    let selector = selector.and_then(Value::as_object);
    let Some((selector, settings)) = selector.and_then(|selector| selector.iter().next()) else {
        return Some((ParameterKind::Any, false));
    };
    if REACHING_FURTHER.contains(&selector.as_str()) {
        return None;
    }
    let is_multiple = settings.get("multiple").and_then(Value::as_bool) == Some(true);
    let kind = match selector.as_str() {
        "boolean" => ParameterKind::Boolean,
        "number" => number(settings, "min", "max"),
        "color_temp" => color_temp(settings),
        "color_rgb" => ParameterKind::Rgb,
        "select" => choice(settings),
        "entity" => ParameterKind::Choice(entities(settings, admitted)),
        "date" => ParameterKind::Text(Some("date")),
        "duration" => ParameterKind::Parts(DURATION),
        "location" => ParameterKind::Parts(PLACE),
        "constant" => ParameterKind::Constant(settings.get("value").cloned()?),
        "media" | "object" => ParameterKind::Any,
        // What the home judges itself: the forms of `time` and `datetime` are not those of JSON Schema.
        _ => ParameterKind::Text(None),
    };
    Some((kind, is_multiple))
}

fn number(settings: &Value, min: &str, max: &str) -> ParameterKind {
    let bound = |name: &str| settings.get(name).and_then(Value::as_f64);
    let unit = text(settings, "unit_of_measurement").or_else(|| text(settings, "unit"));
    ParameterKind::Number {
        min: bound(min),
        max: bound(max),
        unit: unit.map(str::to_owned),
    }
}

fn color_temp(settings: &Value) -> ParameterKind {
    match settings.get("min_mireds").is_some() {
        true => number(settings, "min_mireds", "max_mireds"),
        false => number(settings, "min", "max"),
    }
}

/// One of the options, unless others may be typed.
fn choice(settings: &Value) -> ParameterKind {
    let takes_any = settings.get("custom_value").and_then(Value::as_bool) == Some(true);
    let options = settings.get("options").and_then(Value::as_array);
    let value = |option: &Value| match option {
        Value::String(value) => Some(value.clone()),
        option => text(option, "value").map(str::to_owned),
    };
    let options: Vec<String> = options.into_iter().flatten().filter_map(value).collect();
    match takes_any || options.is_empty() {
        true => ParameterKind::Text(None),
        false => ParameterKind::Choice(options),
    }
}

/// The entities of a selector: those that may be acted on, since they would be.
fn entities(settings: &Value, admitted: &AdmittedEntities<'_>) -> Vec<String> {
    let filters: Vec<&Value> = match settings.get("filter") {
        Some(Value::Array(filters)) => filters.iter().collect(),
        Some(filter) => vec![filter],
        None => vec![settings],
    };
    let is_chosen = |id: &str, state: &EntityState| {
        filters.iter().any(|filter| {
            let domains = several(filter.get("domain"));
            let classes = several(filter.get("device_class"));
            let class = state.attribute("device_class").unwrap_or_default();
            (domains.is_empty() || domains.contains(&domain_of(id)))
                && (classes.is_empty() || classes.contains(&class))
        })
    };
    let chosen = admitted.iter().filter(|(id, state)| is_chosen(id, state));
    let mut chosen: Vec<String> = chosen.map(|(id, _)| (*id).to_owned()).collect();
    chosen.sort();
    chosen
}

/// The targets that understand a field: by a bit of what they can do, or by a value of an attribute.
fn fitting(filter: &Value, targets: &[&EntityState]) -> BTreeSet<String> {
    let fits = |state: &&&EntityState| {
        let by_feature = filter.get("supported_features");
        let by_feature = by_feature.is_some_and(|_| features_fit(filter, state));
        let attributes = filter.get("attribute").and_then(Value::as_object);
        let by_attribute = attributes.into_iter().flatten().any(|(name, wanted)| {
            let wanted = several(Some(wanted));
            let had = several(state.attributes.get(name));
            had.iter().any(|had| wanted.contains(had))
        });
        by_feature || by_attribute
    };
    let fitting = targets.iter().filter(fits);
    fitting.map(|state| state.entity_id.clone()).collect()
}

#[cfg(test)]
mod tests;
