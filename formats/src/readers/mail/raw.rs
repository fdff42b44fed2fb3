//! The message itself, as the JSON that `raw` holds: for an export to `.mbox` later.
//!
//! `{"message": "…"}` if its bytes are a text that JSON can hold, else `{"message_base64": "…"}`. U+0000 cannot
//! be stored in either, and a text of which every other character is escaped is shorter in base64. A message
//! over the limit is cut there and says `"truncated": true`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::held_message::{HeldMessage, WHOLE_BYTES_MAX};

/// The value of `raw`.
pub(super) fn raw(held: &HeldMessage) -> Value {
    let is_cut = held.size > WHOLE_BYTES_MAX as u64;
    let kept = held.bytes.get(..WHOLE_BYTES_MAX).unwrap_or(&held.bytes);
    let (name, text) = match text(kept, is_cut) {
        Some(text) => ("message", text.to_owned()),
        None => ("message_base64", STANDARD.encode(kept)),
    };
    let mut raw = Map::new();
    raw.insert(name.to_owned(), Value::from(text));
    if is_cut {
        raw.insert("truncated".to_owned(), Value::from(true));
    }
    Value::Object(raw)
}

/// The bytes as a text, if it can be stored and is no longer so than in base64. The cut may go through a character.
fn text(bytes: &[u8], is_cut: bool) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if is_cut && error.error_len().is_none() => {
            std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let controls = text
        .bytes()
        .filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace());
    let is_short = controls.count() < text.len() / 16 + 1;
    (is_short && !text.contains('\0')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn raw_of(bytes: &[u8]) -> Value {
        let mut held = HeldMessage::default();
        bytes.chunks(1000).for_each(|part| held.push(part));
        raw(&held)
    }

    #[test]
    fn text_stays_text_and_other_bytes_are_kept_exactly() {
        assert_eq!(
            raw_of("A: ü\r\n\r\nx".as_bytes()),
            json!({"message": "A: ü\r\n\r\nx"})
        );
        assert_eq!(raw_of(b"A: \xFC"), json!({"message_base64": "QTog/A=="}));
        assert_eq!(raw_of(b"A: \0"), json!({"message_base64": "QTogAA=="}));
        assert_eq!(
            raw_of(&[7; 32])["message_base64"].as_str().unwrap().len(),
            44
        );
    }

    #[test]
    fn a_long_message_is_cut_and_says_so() {
        let long = "aü".repeat(WHOLE_BYTES_MAX);
        let raw = raw_of(long.as_bytes());
        let kept = raw["message"].as_str().unwrap();
        assert!(long.starts_with(kept) && kept.len() > WHOLE_BYTES_MAX - 2);
        assert_eq!(raw["truncated"], true);
    }
}
