//! How many rows of a list are asked for, as a query string has it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// From 1 to `MAX` rows.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from, inline)]
pub(super) struct RowLimit<const MAX: usize>(#[schemars(range(min = 1, max = MAX))] usize);

impl<const MAX: usize> RowLimit<MAX> {
    pub(super) fn rows(self) -> usize {
        self.0
    }
}

impl<const MAX: usize> TryFrom<Option<Value>> for RowLimit<MAX> {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        let text = sent.as_ref().and_then(Value::as_str);
        text.and_then(|text| text.parse().ok())
            .filter(|rows| (1..=MAX).contains(rows))
            .map(Self)
            .ok_or_else(|| format!("send a whole number from 1 to {MAX}"))
    }
}
