use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

/// A value, or an explicit null. `Option<OrNull<_>>` distinguishes a field that was left out from one that is null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Option<T>")]
pub(crate) enum OrNull<T> {
    /// The field is there, and null.
    Null,
    /// The field has a value.
    Value(T),
}

impl<T> OrNull<T> {
    /// The value.
    pub(crate) fn value(self) -> Option<T> {
        match self {
            OrNull::Null => None,
            OrNull::Value(value) => Some(value),
        }
    }
}

impl<T> From<Option<T>> for OrNull<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(OrNull::Null, OrNull::Value)
    }
}

/// Null as a constant, so that it is distinct from the null of an `Option` around it, which means that the field may be left out.
impl<T: JsonSchema> JsonSchema for OrNull<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}_or_null", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [generator.subschema_for::<T>(), { "const": null }] })
    }
}
