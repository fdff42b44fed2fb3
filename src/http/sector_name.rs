//! The name of a sector, as it stands in requests and answers.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sextant_actors::domain::Sector;

use super::schema;

/// One of the six sectors. Only its name is taken, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "Option<Value>")]
pub(crate) struct SectorName(pub Sector);

impl From<Sector> for SectorName {
    fn from(sector: Sector) -> Self {
        Self(sector)
    }
}

impl TryFrom<Option<Value>> for SectorName {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        let name = match sent {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(name)) => name,
            Some(_) => return Err("send sector as text".to_owned()),
        };
        let sector = name.parse().map_err(|unknown| format!("{unknown}"))?;
        Ok(Self(sector))
    }
}

impl JsonSchema for SectorName {
    fn schema_name() -> Cow<'static, str> {
        "SectorName".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        Schema::try_from(schema::sector()).unwrap_or_default()
    }
}
