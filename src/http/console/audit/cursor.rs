use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::DateTime;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::store::audit_read::Position;

/// The form of the cursors of today; one of another form is refused.
const VERSION: u8 = 1;
/// A version, a stamp in microseconds, an id.
const CURSOR_BYTES: usize = 17;

/// A position that a caller brings back.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Option<Value>")]
#[schemars(!try_from)]
pub(super) struct Cursor(#[schemars(with = "String")] pub(super) Position);

impl TryFrom<Option<Value>> for Cursor {
    type Error = &'static str;

    fn try_from(sent: Option<Value>) -> Result<Self, &'static str> {
        let text = sent.as_ref().and_then(Value::as_str);
        text.and_then(decode)
            .map(Self)
            .ok_or("send a `next` or `prev` of an earlier answer")
    }
}

/// A position as the caller carries it: opaque, and exact to the row.
pub(super) fn encode(position: Position) -> String {
    let mut bytes = Vec::with_capacity(CURSOR_BYTES);
    bytes.push(VERSION);
    bytes.extend(position.created_at.timestamp_micros().to_be_bytes());
    bytes.extend(position.id.to_be_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The position of a cursor; `None` when it is none of ours.
fn decode(cursor: &str) -> Option<Position> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (version, rest) = bytes.split_first()?;
    let (stamp, id) = rest.split_first_chunk::<8>()?;
    let id: [u8; 8] = id.try_into().ok()?;
    let created_at = DateTime::from_timestamp_micros(i64::from_be_bytes(*stamp))?;
    let within = Position::oldest().created_at..=Position::newest().created_at;
    (*version == VERSION && within.contains(&created_at)).then(|| Position {
        created_at,
        id: i64::from_be_bytes(id),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_the_same_place() {
        let position = Position {
            created_at: DateTime::from_timestamp_micros(1_700_000_000_123_457).unwrap(),
            id: i64::MAX,
        };
        assert_eq!(decode(&encode(position)), Some(position));
    }

    #[test]
    fn a_cursor_of_another_form_is_refused() {
        let ours = encode(Position::newest());
        for cursor in [
            "",
            "AQ",
            "!",
            &ours[1..],
            &format!("{ours}AA"),
            &"_".repeat(23),
            &"A".repeat(23),
        ] {
            assert_eq!(decode(cursor), None, "{cursor}");
        }
    }
}
