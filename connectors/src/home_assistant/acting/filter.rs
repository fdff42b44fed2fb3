//! Parts of the filters by which services and fields say what they are for.

use serde_json::Value;

use super::super::state::EntityState;

/// Whether an entity has all bits of one of the masks.
pub(super) fn features_fit(filter: &Value, state: &EntityState) -> bool {
    let masks = filter.get("supported_features").and_then(Value::as_array);
    let has = |mask: &Value| {
        let mask = mask.as_i64();
        mask.is_some_and(|mask| state.supported_features() & mask == mask)
    };
    masks.is_none_or(|masks| masks.iter().any(has))
}

/// A text, or a list of texts.
pub(super) fn several(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(value)) => vec![value],
        _ => Vec::new(),
    }
}
