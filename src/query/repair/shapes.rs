//! Reads lists of names and aggregates in the shapes of other query languages, and arguments by their other names.

use serde_json::{Map, Value};

use crate::query::nearest::nearest;

/// Other names for the field of an entry.
const FIELD_WORDS: [&str; 5] = ["field", "column", "name", "key", "by"];
/// Other names for the direction of an order.
const DIRECTION_WORDS: [&str; 4] = ["direction", "order", "dir", "sort"];
/// Other names for the function of an aggregate.
const FUNCTION_WORDS: [&str; 5] = ["function", "func", "fn", "op", "type"];
/// Other names for the name of a result.
const RESULT_WORDS: [&str; 3] = ["as", "alias", "name"];

/// A list of names as our shape has it: split at commas, taken out of objects and pairs, `desc` as a `-` in front; null when
/// `value` is no list of names.
pub(crate) fn names(value: &Value) -> Value {
    match value {
        Value::String(text) => text.split(',').filter_map(word).map(Value::from).collect(),
        Value::Array(items) => items.iter().flat_map(name).map(Value::from).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, direction)| Value::from(signed(name, direction)))
            .collect(),
        _ => Value::Null,
    }
}

fn name(item: &Value) -> Vec<String> {
    match item {
        Value::String(text) => text.split(',').filter_map(word).collect(),
        Value::Object(members) => match first(members, &FIELD_WORDS) {
            Some(Value::String(name)) => {
                let direction = first(members, &DIRECTION_WORDS).unwrap_or(&Value::Null);
                vec![signed(name, direction)]
            }
            _ => members
                .iter()
                .map(|(name, direction)| signed(name, direction))
                .collect(),
        },
        Value::Array(pair) => match pair.as_slice() {
            [Value::String(name), direction] => vec![signed(name, direction)],
            items => items.iter().flat_map(name).collect(),
        },
        _ => Vec::new(),
    }
}

/// One name with its direction as SQL writes it: `amount DESC`.
fn word(text: &str) -> Option<String> {
    let mut parts = text.split_whitespace();
    let name = parts.next()?;
    let direction = parts.next().map_or(Value::Null, Value::from);
    Some(signed(name, &direction))
}

fn signed(name: &str, direction: &Value) -> String {
    let name = name.trim().trim_start_matches('+');
    let is_descending = match direction {
        Value::String(word) => word.to_lowercase().starts_with("desc"),
        Value::Number(number) => number.as_i64() == Some(-1),
        _ => false,
    };
    if is_descending && !name.starts_with('-') {
        format!("-{name}")
    } else {
        name.to_owned()
    }
}

/// An aggregate as an object of names and functions; a function alone under a field's name is of that field.
pub(crate) fn aggregate(value: &Value, is_field: &dyn Fn(&str) -> bool) -> Value {
    let entries: Map<String, Value> = match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, value)| {
                (
                    name.clone(),
                    expression(is_field(name).then_some(name.as_str()), value)
                        .unwrap_or(value.clone()),
                )
            })
            .collect(),
        Value::Array(items) => items.iter().filter_map(entry).collect(),
        Value::String(text) => text
            .split(',')
            .filter_map(|text| entry(&text.trim().into()))
            .collect(),
        _ => Map::new(),
    };
    Value::Object(entries)
}

/// Whether a name is a call of a function: `sum(amount)`.
pub(crate) fn is_computed(name: &str) -> bool {
    name.contains('(')
}

/// Splits the names of a `select` into an aggregate of its functions, and its fields.
pub(crate) fn split_computed(names: &[String]) -> (Value, Vec<String>) {
    let (functions, fields): (Vec<_>, Vec<_>) =
        names.iter().cloned().partition(|name| is_computed(name));
    (aggregate(&functions.into(), &|_| false), fields)
}

fn entry(item: &Value) -> Option<(String, Value)> {
    let call = expression(None, item).unwrap_or(item.clone());
    let text = call.as_str()?.trim();
    let (text, called) = match text.split_once(" as ").or_else(|| text.split_once(" AS ")) {
        Some((text, name)) => (text.trim(), Some(name.trim())),
        None => (text, None),
    };
    let given = item
        .as_object()
        .and_then(|members| first(members, &RESULT_WORDS));
    let name = match given.and_then(Value::as_str).or(called) {
        Some(name) => name.to_owned(),
        None => text.replace('(', "_").replace([')', '*', ' '], ""),
    };
    let name = name.trim_end_matches('_').to_owned();
    (!name.is_empty()).then(|| (name, text.into()))
}

/// Reads `{"sum": "amount"}`, `{"function": "sum", "field": "amount"}`, or a function alone under a field's name.
fn expression(under: Option<&str>, value: &Value) -> Option<Value> {
    match value {
        Value::Object(members) => {
            let field = first(members, &FIELD_WORDS).and_then(Value::as_str);
            let function = first(members, &FUNCTION_WORDS).and_then(Value::as_str);
            match (function, field) {
                (Some(function), Some(field)) => Some(format!("{function}({field})").into()),
                (Some(function), None) => Some(function.into()),
                (None, _) => {
                    let (function, field) = members.iter().next()?;
                    Some(format!("{function}({})", field.as_str()?).into())
                }
            }
        }
        Value::Array(pair) => match pair.as_slice() {
            [Value::String(function), Value::String(field)] => {
                Some(format!("{function}({field})").into())
            }
            [only] => expression(under, only).or(Some(only.clone())),
            _ => None,
        },
        Value::String(text) if is_function(text) => Some(format!("{text}({})", under?).into()),
        _ => None,
    }
}

fn is_function(text: &str) -> bool {
    ["sum", "avg", "min", "max", "median", "count_distinct"].contains(&text)
}

fn first<'a>(members: &'a Map<String, Value>, words: &[&str]) -> Option<&'a Value> {
    words.iter().find_map(|word| members.get(*word))
}

/// The argument that was probably meant by `wrong`: by its name in other tools, or the nearest by edit distance.
pub(crate) fn argument<'a>(wrong: &str, known: &[&'a str]) -> Option<&'a str> {
    let canonical = match wrong.to_lowercase().as_str() {
        "filter" | "filters" | "conditions" | "condition" => "where",
        "fields" | "columns" | "field" | "column" => "select",
        "sort" | "sort_by" | "orderby" | "order" => "order_by",
        "q" | "query" | "text" | "keywords" => "search",
        "table" | "from" | "sector" => "target",
        "group" | "groupby" | "dimensions" => "group_by",
        "aggregates" | "aggregations" | "measures" | "metrics" => "aggregate",
        "top" | "max" | "page_size" | "max_results" => "limit",
        "next_cursor" => "cursor",
        "since" => "changed_since",
        "total" => "count",
        "uuid" => "id",
        // No argument does the same.
        "sql" | "statement" | "offset" | "skip" | "page" => return None,
        other => return nearest(other, known.iter().copied()),
    };
    let found = known.iter().copied().find(|name| *name == canonical);
    found.or_else(|| nearest(wrong, known.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_found_however_they_are_written() {
        for (written, expected) in [
            (json!("a, b"), json!(["a", "b"])),
            (json!(["a desc", "b ASC"]), json!(["-a", "b"])),
            (json!([{"field": "a", "direction": "desc"}]), json!(["-a"])),
            (json!([{"a": "desc"}, ["b", -1]]), json!(["-a", "-b"])),
            (json!({"a": -1, "b": 1}), json!(["-a", "b"])),
            (json!([1, "a"]), json!(["a"])),
        ] {
            assert_eq!(names(&written), expected, "{written}");
        }
    }

    #[test]
    fn an_argument_is_known_by_what_others_call_it() {
        let known = crate::query::request::ARGUMENTS;
        for (wrong, right) in [
            ("filter", Some("where")),
            ("Columns", Some("select")),
            ("sort", Some("order_by")),
            ("keywords", Some("search")),
            ("table", Some("target")),
            ("groupby", Some("group_by")),
            ("metrics", Some("aggregate")),
            ("top", Some("limit")),
            ("limitt", Some("limit")),
            ("offset", None),
            ("sql", None),
        ] {
            assert_eq!(argument(wrong, known), right, "{wrong}");
        }
    }

    #[test]
    fn aggregates_are_found_however_they_are_written() {
        for (written, expected) in [
            (
                json!(["sum(a)", "count"]),
                json!({"sum_a": "sum(a)", "count": "count"}),
            ),
            (json!("count(*)"), json!({"count": "count(*)"})),
            (json!(["sum(a) AS total"]), json!({"total": "sum(a)"})),
            (json!({"a": "sum"}), json!({"a": "sum(a)"})),
            (json!({"n": {"sum": "a"}}), json!({"n": "sum(a)"})),
            (
                json!([{"function": "avg", "field": "a", "as": "mean"}]),
                json!({"mean": "avg(a)"}),
            ),
        ] {
            assert_eq!(
                aggregate(&written, &|name| name == "a"),
                expected,
                "{written}"
            );
        }
    }
}
