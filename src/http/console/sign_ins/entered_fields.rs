//! What a person entered for a provider, field by field.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::Value;

use crate::http::schema;

/// The fields that `GET /api/providers` lists, as texts. Any of them may be a secret.
#[derive(Deserialize)]
#[serde(try_from = "Option<Value>")]
pub(in crate::http::console) struct EnteredFields(Vec<(String, String)>);

impl EnteredFields {
    /// Names and texts.
    pub(in crate::http::console) fn into_pairs(self) -> Vec<(String, String)> {
        self.0
    }
}

impl TryFrom<Option<Value>> for EnteredFields {
    type Error = &'static str;

    fn try_from(sent: Option<Value>) -> Result<Self, &'static str> {
        const EXPECTED: &str = "send credentials as an object of texts, one for each field of the provider (GET /api/providers)";
        let Some(Value::Object(sent)) = sent else {
            return Err(EXPECTED);
        };
        let pairs = sent.into_iter().map(|(name, value)| match value {
            Value::String(text) => Ok((name, text)),
            Value::Null => Ok((name, String::new())),
            _ => Err(EXPECTED),
        });
        pairs.collect::<Result<_, _>>().map(Self)
    }
}

impl JsonSchema for EnteredFields {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EnteredFields".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        Schema::try_from(schema::map(schema::or_null(schema::text()))).unwrap_or_default()
    }
}

impl fmt::Debug for EnteredFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EnteredFields")
    }
}
