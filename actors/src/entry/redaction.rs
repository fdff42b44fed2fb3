//! Makes arguments safe to store (r026, r027): redaction by field name, then the bound on size. Values are never inspected.

use serde_json::{Map, Value};

use crate::limits::{ARGS_BYTES_MAX, ARGS_DEPTH_MAX};

/// What stands in place of a redacted value.
pub const REDACTED: &str = "[redacted]";
/// What stands in place of arguments that are too long, too deep or cannot be serialized.
pub const TRUNCATED: &str = "[truncated]";

/// A field whose name contains one of these, in any case (see [`folded`]), is redacted.
const SECRETIVE: [&str; 6] = ["pass", "secret", "token", "key", "authorization", "cookie"];
/// What a text that PostgreSQL's jsonb refuses is replaced with.
const REPLACEMENT: &str = "\u{fffd}";

/// The arguments as the audit log may hold them: redacted, free of U+0000, at most 4096 bytes of JSON, else the string `[truncated]`.
/// Idempotent. The work is bounded by the bound on size, not by what was sent.
pub fn safe_args(args: &Value) -> Value {
    let mut room = ARGS_BYTES_MAX;
    copy(args, ARGS_DEPTH_MAX, &mut room)
        .filter(fits)
        .unwrap_or_else(|| Value::String(TRUNCATED.to_owned()))
}

/// A text without U+0000, which PostgreSQL stores nowhere.
pub(super) fn clean(text: &str) -> String {
    text.replace('\0', REPLACEMENT)
}

/// A text that a client chose, such as its request's id; `[truncated]` when it is longer than arguments may be.
pub(super) fn clean_word(word: &str) -> String {
    match word.len() <= ARGS_BYTES_MAX {
        true => clean(word),
        false => TRUNCATED.to_owned(),
    }
}

fn fits(args: &Value) -> bool {
    serde_json::to_string(args).is_ok_and(|text| text.len() <= ARGS_BYTES_MAX)
}

/// Copies and redacts; `None` as soon as the copy cannot fit or goes deeper than `depth`.
fn copy(value: &Value, depth: usize, room: &mut usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    Some(match value {
        Value::Array(items) => {
            let copied: Option<Vec<Value>> = items
                .iter()
                .map(|item| copy_item(item, depth, room))
                .collect();
            Value::Array(copied?)
        }
        Value::Object(fields) => Value::Object(copy_fields(fields, depth, room)?),
        Value::String(text) => {
            take(room, text.len())?;
            Value::String(clean(text))
        }
        Value::Number(number) => {
            take(room, written_out(&number.to_string()))?;
            value.clone()
        }
        plain => plain.clone(),
    })
}

/// Characters of a number once PostgreSQL has written it out: its jsonb knows no exponents, so that ten characters may become thousands.
fn written_out(number: &str) -> usize {
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent = exponent.trim_start_matches(['+', '-']).parse::<usize>();
    digits.len().saturating_add(exponent.unwrap_or(usize::MAX))
}

fn copy_item(item: &Value, depth: usize, room: &mut usize) -> Option<Value> {
    // An item takes at least one byte and a comma.
    take(room, 1)?;
    copy(item, depth, room)
}

fn copy_fields(
    fields: &Map<String, Value>,
    depth: usize,
    room: &mut usize,
) -> Option<Map<String, Value>> {
    fields
        .iter()
        .map(|(name, value)| {
            take(room, name.len())?;
            let copied = if is_secretive(name) {
                Value::String(REDACTED.to_owned())
            } else {
                copy(value, depth, room)?
            };
            Some((clean(name), copied))
        })
        .collect()
}

fn take(room: &mut usize, bytes: usize) -> Option<()> {
    *room = room.checked_sub(bytes)?;
    Some(())
}

/// Whether a value under this name is redacted (r026).
pub fn is_secretive(name: &str) -> bool {
    let name = folded(name);
    SECRETIVE.iter().any(|word| name.contains(word))
}

/// Folds case, in every alphabet: `ſ` is an s, `ß` two of them, `ı` and `İ` are i, the Kelvin sign is a k.
/// Letters that merely look like others stay what they are.
fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Some letters change only when raised, others only when lowered.
    let folded = name.to_lowercase().to_uppercase().to_lowercase();
    folded.replace("i\u{307}", "i")
}

/// Drops a value level by level: the derived drop recurses as deep as the value nests, and would overflow the stack.
pub(super) fn dismantle(value: Value) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(fields) => rest.extend(fields.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn r026_values_are_redacted_by_the_name_of_their_field_alone() {
        let cases = [
            (json!({"password": "x"}), json!({"password": "[redacted]"})),
            (json!({"apiKEY": 1}), json!({"apiKEY": "[redacted]"})),
            (
                json!({"a": [{"Cookies": {"b": [1]}}]}),
                json!({"a": [{"Cookies": "[redacted]"}]}),
            ),
            (
                json!({"x_authorization": null}),
                json!({"x_authorization": "[redacted]"}),
            ),
            (
                json!([{"tokens": 1}, {"Secretary": 2}]),
                json!([{"tokens": "[redacted]"}, {"Secretary": "[redacted]"}]),
            ),
            (
                json!({"note": "my password is hunter2"}),
                json!({"note": "my password is hunter2"}),
            ),
            (
                json!({"to\u{212a}en": 1}),
                json!({"to\u{212a}en": "[redacted]"}),
            ),
            (
                json!({"Pa\u{df}wort": 1, "\u{17f}ecret": 1, "AUTHOR\u{130}ZAT\u{131}ON": 1}),
                json!({"Pa\u{df}wort": "[redacted]", "\u{17f}ecret": "[redacted]", "AUTHOR\u{130}ZAT\u{131}ON": "[redacted]"}),
            ),
            (
                json!({"\u{ff4b}\u{ff45}\u{ff59}": 1, "ke\u{200b}y": 1}),
                json!({"\u{ff4b}\u{ff45}\u{ff59}": 1, "ke\u{200b}y": 1}),
            ),
            (
                json!({"limit": 5, "where": {"a": {"lt": -1.50}}}),
                json!({"limit": 5, "where": {"a": {"lt": -1.50}}}),
            ),
        ];
        for (sent, kept) in cases {
            assert_eq!(safe_args(&sent), kept);
            assert_eq!(safe_args(&kept), kept, "redaction is stable");
        }
    }

    #[test]
    fn r027_more_than_4096_bytes_after_redaction_is_truncated_whole() {
        let of_length = |bytes: usize| json!({"q": "x".repeat(bytes - r#"{"q":""}"#.len())});
        assert_eq!(safe_args(&of_length(4096)), of_length(4096));
        assert_eq!(safe_args(&of_length(4097)), json!(TRUNCATED));
        let redacted = safe_args(&json!({"token": "x".repeat(100_000)}));
        assert_eq!(
            redacted,
            json!({"token": REDACTED}),
            "the bound is taken after redaction"
        );
        let escaped = json!({"q": "\"".repeat(4000)});
        assert_eq!(safe_args(&escaped), json!(TRUNCATED), "escapes count");
        assert_eq!(safe_args(&json!(vec![0; 10_000])), json!(TRUNCATED));
    }

    #[test]
    fn r027_a_number_is_as_long_as_the_database_writes_it_out() {
        let number = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
        for kept in ["1e3000", "-1.5E-3000", "1e-4", "77"] {
            let args = json!({ "n": number(kept) });
            assert_eq!(safe_args(&args), args, "{kept}");
        }
        for long in ["1e131000", "1e-16000", "1e99999999999999999999999"] {
            assert_eq!(
                safe_args(&json!({ "n": number(long) })),
                TRUNCATED,
                "{long}"
            );
        }
        let many = vec![number("1e300"); 20];
        assert_eq!(safe_args(&json!({ "n": many })), TRUNCATED);
    }

    #[test]
    fn r027_nesting_beyond_the_bound_is_truncated_without_overflowing_the_stack() {
        let nested = |depth: usize| (1..depth).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(safe_args(&nested(ARGS_DEPTH_MAX)), nested(ARGS_DEPTH_MAX));
        assert_eq!(safe_args(&nested(ARGS_DEPTH_MAX + 1)), json!(TRUNCATED));
        let mut abyss = json!(1);
        for _ in 0..200_000 {
            abyss = Value::Array(vec![abyss]);
        }
        assert_eq!(safe_args(&abyss), json!(TRUNCATED));
        dismantle(abyss);
    }

    #[test]
    fn the_null_character_is_replaced_in_names_and_values() {
        assert_eq!(
            safe_args(&json!({"a\0": "b\0c"})),
            json!({"a\u{fffd}": "b\u{fffd}c"})
        );
    }
}
