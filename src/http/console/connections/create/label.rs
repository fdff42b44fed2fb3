//! What people call a connection.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// The longest label, in characters.
const LABEL_CHARS_MAX: usize = 100;

/// What people call the connection, without space around it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
pub(super) struct Label(#[schemars(length(min = 1, max = LABEL_CHARS_MAX))] pub String);

impl TryFrom<Option<Value>> for Label {
    type Error = String;

    fn try_from(sent: Option<Value>) -> Result<Self, String> {
        let text = match sent {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text,
            Some(_) => return Err("send label as text".to_owned()),
        };
        let label = text.trim();
        let fits = (1..=LABEL_CHARS_MAX).contains(&label.chars().count());
        if fits && !label.contains(char::is_control) {
            return Ok(Self(label.to_owned()));
        }
        Err(format!(
            "send a label of 1 to {LABEL_CHARS_MAX} characters, none of them a control character"
        ))
    }
}
