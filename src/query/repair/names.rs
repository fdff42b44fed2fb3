//! Replaces names of fields in the arguments of a call: keys of `where`, items of the lists, and fields in `aggregate`.

use serde_json::{Map, Value};

/// The arguments that are lists of fields.
const LISTS: [&str; 3] = ["select", "group_by", "order_by"];

/// Replaces the field `wrong` by `right` wherever fields are named; texts that are values stay.
pub(super) fn replace(call: &mut Map<String, Value>, wrong: &str, right: &str) {
    for (name, value) in call.iter_mut() {
        if LISTS.contains(&name.as_str()) {
            *value = with_field(value, wrong, right);
        } else if name == "where" {
            *value = with_key(value, wrong, right);
        } else if name == "aggregate"
            && let Value::Object(entries) = value
        {
            let (of_wrong, of_right) = (format!("({wrong})"), format!("({right})"));
            for expression in entries.values_mut() {
                if let Value::String(text) = expression {
                    *text = text.replace(&of_wrong, &of_right);
                }
            }
        }
    }
}

/// `value` with `right` where a whole text, or a key, is `wrong`; a `-` in front stays.
pub(super) fn with_word(value: &Value, wrong: &str, right: &str) -> Value {
    match value {
        Value::String(text) if text == wrong => right.into(),
        Value::String(text) if text.strip_prefix('-') == Some(wrong) => format!("-{right}").into(),
        Value::Array(items) => items
            .iter()
            .map(|item| with_word(item, wrong, right))
            .collect(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                let key = if key == wrong { right } else { key };
                (key.to_owned(), with_word(value, wrong, right))
            })
            .collect(),
        other => other.clone(),
    }
}

/// Whether `value` is `name` or `-name`.
pub(super) fn is_word(value: &Value, name: &str) -> bool {
    value
        .as_str()
        .is_some_and(|text| text == name || text.strip_prefix('-') == Some(name))
}

/// A list of fields, some with a `-` in front or a bucket at the end, with `right` in place of `wrong`.
fn with_field(value: &Value, wrong: &str, right: &str) -> Value {
    let renamed = |text: &str| {
        let (sign, name) = match text.strip_prefix('-') {
            Some(name) => ("-", name),
            None => ("", text),
        };
        let (field, bucket) = name.split_at(name.find(':').unwrap_or(name.len()));
        (field == wrong).then(|| Value::from(format!("{sign}{right}{bucket}")))
    };
    match value {
        Value::String(text) => renamed(text).unwrap_or_else(|| value.clone()),
        Value::Array(items) => items
            .iter()
            .map(|item| with_field(item, wrong, right))
            .collect(),
        other => other.clone(),
    }
}

fn with_key(value: &Value, wrong: &str, right: &str) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                let key = if key == wrong { right } else { key };
                (key.to_owned(), with_key(value, wrong, right))
            })
            .collect(),
        Value::Array(items) => items
            .iter()
            .map(|item| with_key(item, wrong, right))
            .collect(),
        other => other.clone(),
    }
}
