//! Reads a `where` that has the shape of another query language: `amount__lt`, `{"$lt": …}`, triples, sentences of SQL.

mod parts;
mod replace;
mod sentence;

use serde_json::{Map, Value, json};

pub(crate) use self::replace::{with_operator, with_tests, with_value, without};

use self::parts::{join, tests_of};
use crate::query::operators::operator;

/// Separators of a field and an operator that are written as one name: `amount__lt`.
const SEPARATORS: [&str; 4] = ["__", ".", ":", " "];

/// Whether the table has a field of this name.
type IsField<'a> = &'a dyn Fn(&str) -> bool;

/// The same conditions in the shape of docs/asking.md; `None` if they have it already.
pub(crate) fn normalised(filter: &Map<String, Value>, is_field: IsField<'_>) -> Option<Value> {
    let normalised = object(filter, is_field);
    (normalised != *filter).then_some(Value::Object(normalised))
}

/// The conditions of a list or a text as a `where`; null when they cannot be read.
pub(crate) fn parse(value: &Value) -> Value {
    let any = |_: &str| false;
    match value {
        Value::Array(items) => {
            let conditions: Vec<Value> = items
                .iter()
                .filter_map(|item| condition(item, &any))
                .collect();
            match conditions.as_slice() {
                [only] => only.clone(),
                all => join("and", all.to_vec()),
            }
        }
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(filter)) => Value::Object(object(&filter, &any)),
            _ => sentence::parse(text).unwrap_or(Value::Null),
        },
        _ => Value::Null,
    }
}

fn object(filter: &Map<String, Value>, is_field: IsField<'_>) -> Map<String, Value> {
    if let Some(triple) = named_triple(filter, is_field) {
        return triple;
    }
    let mut normalised = Map::new();
    for (name, value) in filter {
        for (name, value) in member(name, value, is_field) {
            add(&mut normalised, name, value);
        }
    }
    normalised
}

/// Adds a condition; where the field has one already, both must hold.
fn add(filter: &mut Map<String, Value>, name: String, value: Value) {
    match (filter.get_mut(&name), value) {
        (None, value) => {
            filter.insert(name, value);
        }
        (Some(Value::Object(tests)), Value::Object(more)) => tests.extend(more),
        (Some(Value::Array(items)), Value::Array(more)) => items.extend(more),
        (Some(_), value) => add_to_all(filter, json!({ name: value })),
    }
}

/// Adds a condition to those that must all hold. What stands there and is no list is kept as it is: a fault will name it.
fn add_to_all(filter: &mut Map<String, Value>, condition: Value) {
    let all = filter.remove("and");
    let mut conditions = match all {
        Some(Value::Array(items)) => items,
        Some(other) => vec![json!({ "and": other })],
        None => Vec::new(),
    };
    conditions.push(condition);
    filter.insert("and".to_owned(), Value::Array(conditions));
}

fn member(name: &str, value: &Value, is_field: IsField<'_>) -> Vec<(String, Value)> {
    let known = |name: &str, value: Value| vec![(name.to_owned(), value)];
    if is_field(name) {
        return field_tests(name, value, is_field);
    }
    match (name.trim_start_matches('$').to_lowercase().as_str(), value) {
        ("and" | "all" | "must", value) => list("and", value, is_field),
        ("or" | "any" | "should", value) => list("or", value, is_field),
        ("not" | "none" | "must_not" | "nor", Value::Array(items)) => {
            let any = Value::Array(
                items
                    .iter()
                    .filter_map(|item| condition(item, is_field))
                    .collect(),
            );
            known("not", json!({"or": any}))
        }
        ("not" | "none" | "must_not", Value::Object(filter)) => {
            known("not", Value::Object(object(filter, is_field)))
        }
        ("where" | "filter" | "filters" | "conditions", Value::Object(filter)) => {
            object(filter, is_field).into_iter().collect()
        }
        // An operator as the key of its fields: `{"lt": {"amount": 0}}`.
        (word, Value::Object(fields)) if operator(word).is_some() => fields
            .iter()
            .flat_map(|(field, value)| field_tests(field, &json!({word: value}), is_field))
            .collect(),
        _ => match split(name, is_field) {
            Some((field, word)) => field_tests(field, &json!({word: value}), is_field),
            None => field_tests(name, value, is_field),
        },
    }
}

fn list(word: &str, value: &Value, is_field: IsField<'_>) -> Vec<(String, Value)> {
    let conditions: Vec<Value> = match value {
        Value::Array(items) => items
            .iter()
            .filter_map(|item| condition(item, is_field))
            .collect(),
        Value::Object(filter) => filter
            .iter()
            .map(|(name, value)| Value::Object(member(name, value, is_field).into_iter().collect()))
            .collect(),
        _ => Vec::new(),
    };
    if conditions.is_empty() {
        return Vec::new();
    }
    vec![(word.to_owned(), Value::Array(conditions))]
}

/// One condition of a list: an object, a triple, or a sentence.
fn condition(item: &Value, is_field: IsField<'_>) -> Option<Value> {
    match item {
        Value::Object(filter) => Some(Value::Object(object(filter, is_field))),
        Value::Array(parts) => match parts.as_slice() {
            [Value::String(field), Value::String(word), value] => {
                let word = operator(word)?;
                Some(json!({field: {word: value}}))
            }
            _ => None,
        },
        Value::String(text) => sentence::parse(text),
        _ => None,
    }
}

/// `{"field": "amount", "op": "lt", "value": 0}`
fn named_triple(filter: &Map<String, Value>, is_field: IsField<'_>) -> Option<Map<String, Value>> {
    let named = |words: &[&str]| {
        let free = words.iter().filter(|word| !is_field(word));
        free.filter_map(|word| filter.get(*word)).next()
    };
    let field = named(&["field", "column", "name"])?.as_str()?;
    let word = named(&["op", "operator", "cmp", "comparison"])
        .and_then(Value::as_str)
        .unwrap_or("eq");
    let value = named(&["value", "values", "val"])?;
    Some(
        field_tests(field, &json!({word: value}), is_field)
            .into_iter()
            .collect(),
    )
}

/// The tests of one field, each operator by our name for it.
fn field_tests(field: &str, value: &Value, is_field: IsField<'_>) -> Vec<(String, Value)> {
    let Value::Object(tests) = value else {
        return vec![(field.to_owned(), value.clone())];
    };
    let mut own_tests = Map::new();
    let mut conditions = Vec::new();
    for (word, value) in tests {
        if let ("and" | "or", Value::Array(items)) = (word.as_str(), value) {
            let each = items.iter().map(|item| json!({field: item}));
            conditions.extend(list(word, &each.collect(), is_field));
            continue;
        }
        own_tests.extend(tests_of(word, value));
    }
    if !own_tests.is_empty() || tests.is_empty() {
        conditions.push((field.to_owned(), Value::Object(own_tests)));
    }
    conditions
}

/// The field and the operator that are written as one name: `amount__lt`, `amount>=`.
fn split<'a>(name: &'a str, is_field: IsField<'_>) -> Option<(&'a str, &'static str)> {
    let by_word = SEPARATORS.iter().find_map(|separator| {
        let (field, word) = name.rsplit_once(separator)?;
        Some((field.trim(), operator(word.trim())?))
    });
    let by_sign = || {
        let field = name.trim_end_matches(['<', '>', '=', '!']);
        let word = operator(name.get(field.len()..)?)?;
        Some((field.trim(), word))
    };
    by_word
        .or_else(by_sign)
        .filter(|(field, _)| is_field(field))
}

/// The filter with one more condition.
pub(crate) fn with_condition(mut filter: Map<String, Value>, condition: Value) -> Value {
    add_to_all(&mut filter, condition);
    Value::Object(filter)
}

#[cfg(test)]
mod tests;
