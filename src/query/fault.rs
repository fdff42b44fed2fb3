//! What is wrong with a call, in words that repair it: the fault, the nearest valid value, and a corrected call.
//!
//! A fault's text may hold what the agent sent: it goes back to that agent and nowhere else, never into a log.

use serde_json::{Map, Value};
use sextant_actors::record::is_secretive;

/// Bytes of a corrected call; a longer one is left out, since the agent would read its own arguments back at length.
const CALL_BYTES_MAX: usize = 1500;
/// Characters of a foreign word that a fault repeats.
const QUOTED_CHARS_MAX: usize = 60;

/// A call that cannot be served as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    text: String,
    swap: Option<(String, String)>,
    without: Option<String>,
    example: Option<Value>,
}

impl Fault {
    /// A fault in words, without a full stop.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            swap: None,
            without: None,
            example: None,
        }
    }

    /// The corrected call is the agent's own with `wrong` replaced.
    #[must_use]
    pub fn swap(mut self, wrong: &str, right: &str) -> Self {
        self.swap = Some((wrong.to_owned(), right.to_owned()));
        self
    }

    /// The corrected call is the agent's own without the argument `name`.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.without = Some(name.to_owned());
        self
    }

    /// The corrected call is this one.
    #[must_use]
    pub fn example(mut self, call: Value) -> Self {
        self.example = Some(call);
        self
    }

    /// The whole text, for a call that had these arguments.
    pub fn say(&self, arguments: &Value) -> String {
        // A value under a name that the record redacts would stand in it plainly under the right one.
        let repaired = self
            .swap
            .as_ref()
            .filter(|(wrong, _)| !is_secretive(wrong))
            .map(|(wrong, right)| replace(arguments, wrong, right, false));
        let left_out = || without(arguments, self.without.as_deref()?);
        let call = repaired.or_else(left_out).or_else(|| self.example.clone());
        match call.map(|call| call.to_string()) {
            Some(call) if call.len() <= CALL_BYTES_MAX => format!("{}. Try: {call}", self.text),
            _ => format!("{}.", self.text),
        }
    }
}

/// A word that the agent sent, cut and quoted.
pub fn quoted(word: &str) -> String {
    let cut: String = word.chars().take(QUOTED_CHARS_MAX).collect();
    Value::String(cut).to_string()
}

fn without(arguments: &Value, name: &str) -> Option<Value> {
    let mut call = arguments.as_object()?.clone();
    call.remove(name)?;
    Some(Value::Object(call))
}

/// Replaces names: keys everywhere, and strings outside of `where`, whose strings are values.
fn replace(value: &Value, wrong: &str, right: &str, is_filter: bool) -> Value {
    match value {
        Value::Object(map) => Value::Object(replace_keys(map, wrong, right, is_filter)),
        Value::Array(items) => items
            .iter()
            .map(|item| replace(item, wrong, right, is_filter))
            .collect(),
        Value::String(text) if !is_filter && text == wrong => right.into(),
        Value::String(text) if !is_filter && text.strip_prefix('-') == Some(wrong) => {
            format!("-{right}").into()
        }
        other => other.clone(),
    }
}

fn replace_keys(
    map: &Map<String, Value>,
    wrong: &str,
    right: &str,
    is_filter: bool,
) -> Map<String, Value> {
    map.iter()
        .map(|(key, value)| {
            let name = if key == wrong { right } else { key };
            let value = replace(value, wrong, right, is_filter || key == "where");
            (name.to_owned(), value)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn r026_no_corrected_call_moves_a_value_out_of_a_redacted_name() {
        let arguments = json!({"target": "mail.messages", "where": {"sender_key": "hunter2"}});
        let said = Fault::new("unknown field")
            .swap("sender_key", "sender")
            .say(&arguments);
        assert_eq!(said, "unknown field.");
    }

    #[test]
    fn a_corrected_call_is_the_agents_own_with_the_name_put_right() {
        let arguments = json!({"target": "finance.transactions", "select": ["ammount"], "order_by": ["-ammount"],
            "where": {"or": [{"ammount": {"lt": 0}}, {"description": "ammount"}]}});
        let said = Fault::new("unknown field")
            .swap("ammount", "amount")
            .say(&arguments);
        assert!(said.contains(r#""select":["amount"]"#), "{said}");
        assert!(said.contains(r#""order_by":["-amount"]"#), "{said}");
        assert!(said.contains(r#"{"amount":{"lt":0}}"#), "{said}");
        assert!(said.contains(r#"{"description":"ammount"}"#), "{said}");
    }

    #[test]
    fn a_foreign_word_is_cut_and_cannot_break_out_of_its_quotes() {
        assert_eq!(quoted("a\"b\n"), r#""a\"b\n""#);
        assert_eq!(quoted(&"x".repeat(1000)).len(), 62);
    }
}
