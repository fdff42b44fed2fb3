//! The JSON Schemas (2020-12) of the OpenAPI document. Objects are closed: what is not named is not there.
//!
//! The schema of a type that is sent or answered is derived ([`request`], [`answer`]); the functions here write those of what has no type.

mod derived;

use serde_json::{Map, Value, json};

pub(crate) use derived::{answer, properties, request};

/// A text.
pub(crate) fn text() -> Value {
    json!({ "type": "string" })
}

/// A whole number that is not negative.
pub(crate) fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

/// Yes or no.
pub(crate) fn flag() -> Value {
    json!({ "type": "boolean" })
}

/// An instant, RFC 3339 in UTC.
pub(crate) fn stamp() -> Value {
    json!({ "type": "string", "format": "date-time" })
}

/// A uuid.
pub(crate) fn id() -> Value {
    json!({ "type": "string", "format": "uuid" })
}

/// One of the six sectors.
pub(crate) fn sector() -> Value {
    let names = sextant_actors::domain::Sector::ALL.map(sextant_actors::domain::Sector::name);
    one_of(&names)
}

/// One of these words.
pub(crate) fn one_of(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

/// Anything.
pub(crate) fn any() -> Value {
    json!({})
}

/// This, or null.
pub(crate) fn or_null(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

/// Many of these.
pub(crate) fn list(of: Value) -> Value {
    json!({ "type": "array", "items": of })
}

/// An object whose names are free and whose values are these.
pub(crate) fn map(of: Value) -> Value {
    json!({ "type": "object", "additionalProperties": of })
}

/// An object with exactly these fields; a name that ends in `?` may be left out.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let required: Vec<&str> = fields
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !name.ends_with('?'))
        .collect();
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(name, schema)| (name.trim_end_matches('?').to_owned(), schema.clone()))
        .collect();
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if let (false, Some(members)) = (required.is_empty(), schema.as_object_mut()) {
        members.insert("required".to_owned(), json!(required));
    }
    schema
}

/// The fields of one object and those of another.
pub(crate) fn joined(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(mut one), Value::Object(other)) => {
            for (name, value) in other {
                let merged = match one.remove(&name) {
                    Some(present) => merge(present, value),
                    None => value,
                };
                one.insert(name, merged);
            }
            Value::Object(one)
        }
        (one, _) => one,
    }
}

fn merge(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(mut one), Value::Object(other)) => {
            one.extend(other);
            Value::Object(one)
        }
        (Value::Array(mut one), Value::Array(other)) => {
            one.extend(other);
            Value::Array(one)
        }
        (one, _) => one,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_closed_and_joined_with_all_that_either_requires() {
        let joined = joined(
            object([("a", text()), ("b?", flag())]),
            object([("c", count())]),
        );
        assert_eq!(joined["required"], json!(["a", "c"]));
        assert_eq!(joined["additionalProperties"], false);
        assert_eq!(joined["properties"].as_object().unwrap().len(), 3);
        assert!(object([("b?", flag())]).get("required").is_none());
    }
}
