//! Makes arguments safe to store (r026, r027): redaction by field name, then the bound on size. Values are never inspected.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use crate::domain::{TRUNCATED, without_nul};
use crate::limits::{ARGS_BYTES_MAX, ARGS_DEPTH_MAX};

/// What stands in place of a redacted value.
pub const REDACTED: &str = "[redacted]";

/// A field whose name contains one of these, in any case (see [`folded`]), is redacted.
const SECRETIVE: [&str; 6] = ["pass", "secret", "token", "key", "authorization", "cookie"];

/// Arguments as the audit log may hold them, as compact JSON: redacted, free of U+0000, at most 4096 bytes, else the string
/// `[truncated]`. The one text that journal and database get.
#[derive(Clone, PartialEq, Eq)]
pub struct SafeArgs(Box<str>);

impl SafeArgs {
    /// What is kept of these arguments. Doing it twice changes nothing. The work is bounded by the bound on size, not by what was sent.
    pub fn of(args: &Value) -> Self {
        let mut text = ArgsText {
            json: Vec::with_capacity(USUAL_BYTES),
            room: ARGS_BYTES_MAX,
        };
        let written = text.write(args, ARGS_DEPTH_MAX);
        written
            .and_then(|()| String::from_utf8(text.json).ok())
            .map_or_else(Self::truncated, |json| Self(json.into()))
    }

    /// The JSON.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn truncated() -> Self {
        Self(format!("\"{TRUNCATED}\"").into())
    }
}

impl fmt::Debug for SafeArgs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Room that most arguments need.
const USUAL_BYTES: usize = 256;

/// The JSON as it grows. Each step gives up with `None` as soon as the whole cannot fit or goes deeper than `depth`.
struct ArgsText {
    json: Vec<u8>,
    /// What values and names may still take once PostgreSQL has written them out, without what JSON adds.
    room: usize,
}

impl ArgsText {
    fn write(&mut self, value: &Value, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match value {
            Value::Null => self.put(b"null"),
            Value::Bool(true) => self.put(b"true"),
            Value::Bool(false) => self.put(b"false"),
            Value::Number(number) => {
                let number = number.as_str();
                self.take(written_out(number))?;
                self.put(number.as_bytes())
            }
            Value::String(text) => {
                self.take(text.len())?;
                self.put_text(text)
            }
            Value::Array(items) => self.write_items(items, depth),
            Value::Object(fields) => self.write_fields(fields, depth),
        }
    }

    fn write_items(&mut self, items: &[Value], depth: usize) -> Option<()> {
        self.put(b"[")?;
        for (place, item) in items.iter().enumerate() {
            self.put_comma(place)?;
            // An item takes at least one byte and a comma.
            self.take(1)?;
            self.write(item, depth)?;
        }
        self.put(b"]")
    }

    fn write_fields(&mut self, fields: &Map<String, Value>, depth: usize) -> Option<()> {
        if fields.len() > ARGS_BYTES_MAX {
            return None;
        }
        self.put(b"{")?;
        if fields.keys().any(|name| name.contains('\0')) {
            // Two names may become one; the last of them stays.
            let cleaned = fields
                .iter()
                .map(|(name, value)| (without_nul(name), value));
            let cleaned: BTreeMap<_, _> = cleaned.collect();
            self.write_each(cleaned.iter().map(|(name, value)| (&**name, *value)), depth)?;
        } else {
            self.write_each(
                fields.iter().map(|(name, value)| (name.as_str(), value)),
                depth,
            )?;
        }
        self.put(b"}")
    }

    fn write_each<'a>(
        &mut self,
        fields: impl Iterator<Item = (&'a str, &'a Value)>,
        depth: usize,
    ) -> Option<()> {
        for (place, (name, value)) in fields.enumerate() {
            self.put_comma(place)?;
            self.take(name.len())?;
            self.put_text(name)?;
            self.put(b":")?;
            match is_secretive(name) {
                true => self.put_text(REDACTED)?,
                false => self.write(value, depth)?,
            }
        }
        Some(())
    }

    fn put_comma(&mut self, place: usize) -> Option<()> {
        if place == 0 { Some(()) } else { self.put(b",") }
    }

    fn put_text(&mut self, text: &str) -> Option<()> {
        serde_json::to_writer(&mut self.json, &*without_nul(text)).ok()?;
        self.put(b"")
    }

    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.json.extend(bytes);
        (self.json.len() <= ARGS_BYTES_MAX).then_some(())
    }

    fn take(&mut self, bytes: usize) -> Option<()> {
        self.room = self.room.checked_sub(bytes)?;
        Some(())
    }
}

/// Characters of a number once PostgreSQL has written it out: its jsonb knows no exponents, so that ten characters may become thousands.
fn written_out(number: &str) -> usize {
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent = exponent.trim_start_matches(['+', '-']).parse::<usize>();
    digits.len().saturating_add(exponent.unwrap_or(usize::MAX))
}

/// Whether a value under this name is redacted (r026).
pub fn is_secretive(name: &str) -> bool {
    if name.is_ascii() {
        let contains = |word: &str| {
            let mut windows = name.as_bytes().windows(word.len());
            windows.any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
        };
        return SECRETIVE.into_iter().any(contains);
    }
    let name = folded(name);
    SECRETIVE.iter().any(|word| name.contains(word))
}

/// Folds case, in every alphabet: `ſ` is an s, `ß` two of them, `ı` and `İ` are i, the Kelvin sign is a k.
/// Letters that merely look like others stay what they are.
fn folded(name: &str) -> String {
    // Some letters change only when raised, others only when lowered.
    let folded = name.to_lowercase().to_uppercase().to_lowercase();
    folded.replace("i\u{307}", "i")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is kept, which is also exactly what `serde_json` writes.
    fn safe_args(args: &Value) -> Value {
        let safe = SafeArgs::of(args);
        let kept: Value = serde_json::from_str(safe.as_str()).unwrap();
        assert_eq!(safe.as_str(), kept.to_string());
        kept
    }

    /// Drops a value level by level: the derived drop recurses as deep as the value nests, and would overflow the stack.
    fn dismantle(value: Value) {
        let mut rest = vec![value];
        while let Some(value) = rest.pop() {
            match value {
                Value::Array(items) => rest.extend(items),
                Value::Object(fields) => rest.extend(fields.into_iter().map(|(_, value)| value)),
                _ => {}
            }
        }
    }

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
        assert_eq!(
            safe_args(&json!({"a\0": 1, "a!": 2, "a\u{fffd}": {"\0": 3}})),
            json!({"a!": 2, "a\u{fffd}": {"\u{fffd}": 3}}),
            "names that become one are one"
        );
    }
}
