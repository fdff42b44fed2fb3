//! Parts of conditions that both the JSON shapes and the sentences of SQL are read into.

use serde_json::{Value, json};

use crate::query::operators::operator;

/// The tests that an operator of any query language and its value stand for.
pub(super) fn tests_of(word: &str, value: &Value) -> Vec<(String, Value)> {
    let one = |word: &str, value: Value| vec![(word.to_owned(), value)];
    match (word.trim_start_matches('$').to_lowercase().as_str(), value) {
        ("between" | "range", Value::Array(edges)) => match edges.as_slice() {
            [from, to] => [one("gte", from.clone()), one("lte", to.clone())].concat(),
            _ => one(word, value.clone()),
        },
        ("exists", Value::Bool(exists)) => one("is_null", (!exists).into()),
        ("like" | "ilike", Value::String(text)) => {
            let plain = text.trim_matches('%');
            let word = if text.starts_with('%') || plain.len() == text.len() {
                "contains"
            } else {
                "starts_with"
            };
            one(word, plain.into())
        }
        _ => one(operator(word).unwrap_or(word), value.clone()),
    }
}

/// Joins conditions by `and` or `or`; null where there are none.
pub(super) fn join(word: &str, conditions: Vec<Value>) -> Value {
    if conditions.is_empty() {
        return Value::Null;
    }
    json!({word: conditions})
}
