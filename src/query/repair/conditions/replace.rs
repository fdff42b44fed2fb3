//! Replaces one part of an agent's `where` and leaves the rest as it is.

use serde_json::{Map, Value};

/// The words that join conditions.
const JOINING: [&str; 3] = ["and", "or", "not"];

/// The filter with the operator `right` in place of `wrong` on `field`; without a right operator the test is removed.
pub(crate) fn with_operator(
    filter: &Map<String, Value>,
    field: &str,
    wrong: &str,
    right: Option<&str>,
) -> Value {
    on_field(filter, field, &|tests| {
        let Value::Object(tests) = tests else {
            return Some(tests.clone());
        };
        let tests: Map<String, Value> = tests
            .iter()
            .filter_map(|(name, value)| match name == wrong {
                true => Some((right?.to_owned(), value.clone())),
                false => Some((name.clone(), value.clone())),
            })
            .collect();
        (!tests.is_empty()).then_some(Value::Object(tests))
    })
}

/// The filter with `right` where `field` is compared with `wrong`; without a right value the comparison is removed.
pub(crate) fn with_value(
    filter: &Map<String, Value>,
    field: &str,
    wrong: &Value,
    right: Option<&Value>,
) -> Value {
    on_field(filter, field, &|test| replace_value(test, wrong, right))
}

/// The filter with the tests `right` where `field` is tested for equality with `wrong`.
pub(crate) fn with_tests(
    filter: &Map<String, Value>,
    field: &str,
    wrong: &Value,
    right: &Map<String, Value>,
) -> Value {
    on_field(filter, field, &|test| match test {
        Value::Object(tests) if tests.get("eq") == Some(wrong) => {
            let mut tests = tests.clone();
            tests.remove("eq");
            tests.extend(right.clone());
            Some(Value::Object(tests))
        }
        test if test == wrong => Some(Value::Object(right.clone())),
        other => Some(other.clone()),
    })
}

/// The filter without the member `name`, at any depth.
pub(crate) fn without(filter: &Map<String, Value>, name: &str) -> Value {
    on_field(filter, name, &|_| None)
}

fn replace_value(test: &Value, wrong: &Value, right: Option<&Value>) -> Option<Value> {
    if test == wrong {
        return right.cloned();
    }
    let left: Value = match test {
        Value::Array(items) => items
            .iter()
            .filter_map(|item| replace_value(item, wrong, right))
            .collect(),
        Value::Object(tests) => tests
            .iter()
            .filter_map(|(operator, value)| {
                Some((operator.clone(), replace_value(value, wrong, right)?))
            })
            .collect(),
        other => other.clone(),
    };
    (!is_empty(&left)).then_some(left)
}

/// The filter with the tests of `field` changed or removed, at any depth; an `and`, `or` or `not` left empty is removed too.
fn on_field(
    filter: &Map<String, Value>,
    field: &str,
    change: &dyn Fn(&Value) -> Option<Value>,
) -> Value {
    let mut changed = Map::new();
    for (name, value) in filter {
        let value = if name == field {
            change(value)
        } else if JOINING.contains(&name.as_str()) {
            let inner = within(value, field, change);
            (!is_empty(&inner)).then_some(inner)
        } else {
            Some(value.clone())
        };
        changed.extend(value.map(|value| (name.clone(), value)));
    }
    Value::Object(changed)
}

fn within(value: &Value, field: &str, change: &dyn Fn(&Value) -> Option<Value>) -> Value {
    match value {
        Value::Object(filter) => on_field(filter, field, change),
        Value::Array(items) => items
            .iter()
            .map(|item| within(item, field, change))
            .filter(|item| !is_empty(item))
            .collect(),
        other => other.clone(),
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty)
}
