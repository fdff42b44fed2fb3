//! The schemas that schemars derives, in the form that the OpenAPI document has: one transformation of all of them.
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

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The schema of a body that is read into `T`.
pub(crate) fn request<T: JsonSchema>() -> Value {
    adapted(request_as_derived::<T>())
}

/// The schema of an answer that is written from `T`.
pub(crate) fn answer<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    adapted(derived::<T>(settings))
}

/// A field of a type that is read from a request.
#[derive(Debug)]
pub(crate) struct Property {
    /// The field's comment.
    pub about: String,
    /// As it is when it is there.
    pub schema: Value,
}

/// The fields of `T`, or of a tuple of types, by their names.
pub(crate) fn properties<T: JsonSchema>() -> BTreeMap<String, Property> {
    let all = properties_of(request_as_derived::<T>()).into_iter();
    let described = all.map(|(name, schema)| {
        let mut schema = without_null(schema);
        let about = take(&mut schema, "description");
        let property = Property {
            about: about.and_then(text).unwrap_or_default(),
            schema: adapted(schema),
        };
        (name, property)
    });
    described.collect()
}

fn request_as_derived<T: JsonSchema>() -> Value {
    derived::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

fn derived<T: JsonSchema>(mut settings: SchemaSettings) -> Value {
    settings.inline_subschemas = true;
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// The properties of an object, or those of all objects of a tuple.
fn properties_of(mut schema: Value) -> Map<String, Value> {
    let mut all = Map::new();
    if let Some(Value::Object(own)) = take(&mut schema, "properties") {
        all.extend(own);
    }
    if let Some(Value::Array(parts)) = take(&mut schema, "prefixItems") {
        all.extend(parts.into_iter().flat_map(properties_of));
    }
    all
}

/// The one transformation.
fn adapted(schema: Value) -> Value {
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

/// The width of a number in memory is nobody's concern.
fn adapt_number(members: &mut Map<String, Value>) {
    let format = members.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| format.starts_with("int") || format.starts_with("uint")) {
        members.remove("format");
    }
}

/// Variants stand in their order when all of them have comments, or none.
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
        super::or_null(inner)
    }
}

/// What an `Option` is of.
fn without_null(mut schema: Value) -> Value {
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

fn take(schema: &mut Value, name: &str) -> Option<Value> {
    schema.as_object_mut()?.remove(name)
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
#[expect(dead_code, reason = "the types are only described")]
mod tests {
    use std::collections::HashMap;

    use chrono::{DateTime, Utc};
    use serde::{Deserialize, Serialize};
    use uuid::Uuid;

    use super::*;
    use crate::http::schema::{
        any, count, flag, id, list, map, object, one_of, or_null, stamp, text,
    };

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        /// Which.
        id: Uuid,
        label: Option<String>,
        state: State,
        last_state: Option<State>,
        counts: HashMap<String, u64>,
        number: i32,
        made_at: DateTime<Utc>,
        ended_at: Option<DateTime<Utc>>,
        anything: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        #[serde(flatten)]
        inner: Inner,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Inner {
        is_on: bool,
        names: Vec<String>,
    }

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum State {
        /// It works.
        Active,
        /// It rests.
        Paused,
    }

    #[derive(Deserialize, JsonSchema)]
    struct Sent {
        /// How it is called.
        name: Option<String>,
        inner: Option<Inner>,
    }

    #[test]
    fn an_answer_is_described_as_if_by_hand() {
        let expected = object([
            ("id", id()),
            ("label", or_null(text())),
            ("state", one_of(&["active", "paused"])),
            ("lastState", or_null(one_of(&["active", "paused"]))),
            ("counts", map(count())),
            ("number", json!({ "type": "integer" })),
            ("madeAt", stamp()),
            ("endedAt", or_null(stamp())),
            ("anything", any()),
            ("note?", text()),
            ("is_on", flag()),
            ("names", list(text())),
        ]);
        assert_eq!(answer::<Answer>(), expected);
    }

    #[test]
    fn what_may_be_left_out_is_not_null() {
        let inner = object([("is_on", flag()), ("names", list(text()))]);
        let expected = object([("name?", text()), ("inner?", inner)]);
        assert_eq!(request::<Sent>(), expected);
    }

    #[test]
    fn a_field_is_described_by_its_comment() {
        let properties = properties::<(Sent, Inner)>();
        let names: Vec<_> = properties.keys().collect();
        assert_eq!(names, ["inner", "is_on", "name", "names"]);
        assert_eq!(properties["name"].about, "How it is called.");
        assert_eq!(properties["name"].schema, text());
    }
}
