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
    /// The first that can be made is told.
    repairs: Vec<Repair>,
}

/// A corrected call.
#[derive(Clone, Debug, PartialEq)]
enum Repair {
    /// The agent's own with one word replaced.
    Swap {
        wrong: String,
        right: String,
    },
    /// The agent's own without an argument.
    Without(String),
    Example(Value),
}

impl Fault {
    /// A fault in words, without a full stop.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            repairs: Vec::new(),
        }
    }

    /// The corrected call is the agent's own with `wrong` replaced.
    #[must_use]
    pub fn swap(self, wrong: &str, right: &str) -> Self {
        self.or(Repair::Swap {
            wrong: wrong.to_owned(),
            right: right.to_owned(),
        })
    }

    /// The corrected call is the agent's own without the argument `name`.
    #[must_use]
    pub fn without(self, name: &str) -> Self {
        self.or(Repair::Without(name.to_owned()))
    }

    /// The corrected call is this one.
    #[must_use]
    pub fn example(self, call: Value) -> Self {
        self.or(Repair::Example(call))
    }

    fn or(mut self, repair: Repair) -> Self {
        self.repairs.push(repair);
        self
    }

    /// The whole text, for a call that had these arguments.
    pub fn say(&self, arguments: &Value) -> String {
        let mut repairs = self.repairs.iter();
        let call = repairs.find_map(|repair| repair.call(arguments));
        match call.map(|call| call.to_string()) {
            Some(call) if call.len() <= CALL_BYTES_MAX => format!("{}. Try: {call}", self.text),
            _ => format!("{}.", self.text),
        }
    }
}

impl Repair {
    fn call(&self, arguments: &Value) -> Option<Value> {
        match self {
            // A value under a name that the record redacts would stand in it plainly under the right one.
            Repair::Swap { wrong, .. } if is_secretive(wrong) => None,
            Repair::Swap { wrong, right } => Some(replace(arguments, wrong, right, false)),
            Repair::Without(name) => without(arguments, name),
            Repair::Example(call) => Some(call.clone()),
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
