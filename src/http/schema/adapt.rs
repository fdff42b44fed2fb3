//! Transforms what schemars derives into the form of the OpenAPI document.
//!
//! | schemars | here |
//! |---|---|
//! | `"type": ["string", "null"]`, `"enum": [.., null]` | `"anyOf": [.., {"type": "null"}]` |
//! | an `Option` that may be left out is nullable too | it is left out, or not null |
//! | `"format": "uint64"` of a whole number | no format |
//! | objects are open | objects are closed |
//! | variants with comments are `oneOf` constants | one `enum` |
//! | `true` | `{}` |
//! | `{"const": null}`, which is null said on purpose (`request::OrNull`) | `{"type": "null"}` |
//! | titles and comments | none; those of parameters stand beside their schemas |

use serde_json::{Map, Value, json};

/// The schema in the form of the document.
pub(super) fn adapted(schema: Value) -> Value {
    match schema {
        Value::Object(mut members) => {
            for name in ["$schema", "title", "description"] {
                members.remove(name);
            }
            adapt_number(&mut members);
            adapt_words(&mut members);
            adapt_object(&mut members);
            adapt_parts(&mut members);
            adapt_null(members)
        }
        Value::Bool(true) => json!({}),
        other => other,
    }
}

/// Removes the width of a number in memory, which means nothing to a client.
fn adapt_number(members: &mut Map<String, Value>) {
    let format = members.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| format.starts_with("int") || format.starts_with("uint")) {
        members.remove("format");
    }
}

/// Turns variants into one `enum`; they keep their order when all of them have comments, or none.
fn adapt_words(members: &mut Map<String, Value>) {
    let variants = members.get("oneOf").and_then(Value::as_array);
    let words: Option<Vec<Value>> =
        variants.and_then(|all| all.iter().map(|one| one.get("const").cloned()).collect());
    if let Some(words) = words {
        members.remove("oneOf");
        members.insert("type".to_owned(), json!("string"));
        members.insert("enum".to_owned(), words.into());
    }
}

fn adapt_object(members: &mut Map<String, Value>) {
    let required = members.get("required").cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = members.get_mut("properties") else {
        return;
    };
    let is_required = |name: &str| {
        let names = required.as_array().into_iter().flatten();
        names.into_iter().any(|required| required == name)
    };
    for (name, property) in properties.iter_mut() {
        let schema = property.take();
        *property = adapted(if is_required(name) {
            schema
        } else {
            without_null(schema)
        });
    }
    members
        .entry("additionalProperties")
        .or_insert(Value::Bool(false));
}

fn adapt_parts(members: &mut Map<String, Value>) {
    for name in ["items", "additionalProperties"] {
        if let Some(part) = members.get_mut(name).filter(|part| part.is_object()) {
            *part = adapted(part.take());
        }
    }
    for name in ["anyOf", "oneOf", "allOf"] {
        let parts = members.get_mut(name).and_then(Value::as_array_mut);
        for part in parts.into_iter().flatten() {
            *part = adapted(part.take());
        }
    }
}

fn adapt_null(members: Map<String, Value>) -> Value {
    if members.get("const") == Some(&Value::Null) {
        return null();
    }
    let schema = Value::Object(members);
    let inner = without_null(schema.clone());
    let has_parts = schema.get("anyOf").is_some();
    if inner == schema || has_parts {
        schema
    } else {
        json!({ "anyOf": [inner, { "type": "null" }] })
    }
}

/// The schema of the value of an `Option`.
pub(super) fn without_null(mut schema: Value) -> Value {
    if let Some([inner, last]) = schema
        .get("anyOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        && *last == null()
    {
        return inner.clone();
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(kind) = schema.get_mut("type")
        && let Some([one, last]) = kind.as_array().map(Vec::as_slice)
        && last == "null"
    {
        *kind = one.clone();
    }
    schema
}

fn null() -> Value {
    json!({ "type": "null" })
}

/// Removes a member of a schema and returns it.
pub(super) fn take(schema: &mut Value, name: &str) -> Option<Value> {
    schema.as_object_mut()?.remove(name)
}
