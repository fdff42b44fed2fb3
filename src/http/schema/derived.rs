//! The schemas that schemars derives from types, adapted to the form of the OpenAPI document ([`adapt`](super::adapt)).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::adapt::{adapted, take, without_null};

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
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::http::schema::{
        any, count, flag, id, list, map, object, one_of, or_null, stamp, text,
    };

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct SampleAnswer {
        /// Which.
        id: Uuid,
        label: Option<String>,
        state: SampleState,
        last_state: Option<SampleState>,
        counts: HashMap<String, u64>,
        number: i32,
        made_at: DateTime<Utc>,
        ended_at: Option<DateTime<Utc>>,
        anything: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        #[serde(flatten)]
        inner: SampleFields,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct SampleFields {
        is_on: bool,
        names: Vec<String>,
    }

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum SampleState {
        /// It works.
        Active,
        /// It rests.
        Paused,
    }

    #[derive(Deserialize, JsonSchema)]
    struct SampleRequest {
        /// How it is called.
        name: Option<String>,
        inner: Option<SampleFields>,
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
        assert_eq!(answer::<SampleAnswer>(), expected);
    }

    #[test]
    fn what_may_be_left_out_is_not_null() {
        let inner = object([("is_on", flag()), ("names", list(text()))]);
        let expected = object([("name?", text()), ("inner?", inner)]);
        assert_eq!(request::<SampleRequest>(), expected);
    }

    #[test]
    fn a_field_is_described_by_its_comment() {
        let properties = properties::<(SampleRequest, SampleFields)>();
        let names: Vec<_> = properties.keys().collect();
        assert_eq!(names, ["inner", "is_on", "name", "names"]);
        assert_eq!(properties["name"].about, "How it is called.");
        assert_eq!(properties["name"].schema, text());
    }
}
