//! Reads the arguments of a tool: each has the right JSON type, and unknown ones are refused. `null` stands for an absent argument.
//!
//! Knows no tool; a fault comes with its repair.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::fault::{CallFault, quoted};
use super::repair::{shapes, values};

/// Arguments by which other tools page through rows.
const PAGING: [&str; 3] = ["offset", "skip", "page"];

/// The arguments as an object; `null` is an empty one.
///
/// # Errors
/// When they are neither an object nor `null`.
pub(crate) fn object(arguments: &Value) -> Result<&Map<String, Value>, CallFault> {
    static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    match arguments {
        Value::Null => Ok(&NONE),
        Value::Object(map) => Ok(map),
        _ => Err(CallFault::new("the arguments are an object")),
    }
}

/// Refuses every argument that is not `known`.
///
/// # Errors
/// Names the nearest valid argument.
pub(crate) fn refuse_unknown(map: &Map<String, Value>, known: &[&str]) -> Result<(), CallFault> {
    let Some(name) = map.keys().find(|name| !known.contains(&name.as_str())) else {
        return Ok(());
    };
    let valid = match known {
        [] => "this tool takes none".to_owned(),
        known if PAGING.contains(&name.as_str()) && known.contains(&"cursor") => {
            "to go on, pass `next_cursor` of the answer before as `cursor`".to_owned()
        }
        known => format!("the valid ones are: {}", known.join(", ")),
    };
    let fault = CallFault::new(format!("unknown argument {}; {valid}", quoted(name)));
    let fault = match shapes::argument(name, known) {
        Some(right) if !map.contains_key(right) => fault.rename_argument(name, right),
        _ => fault,
    };
    Err(fault.without(name))
}

/// A text argument.
///
/// # Errors
/// When it is present and is no string.
pub(crate) fn text(map: &Map<String, Value>, name: &str) -> Result<Option<String>, CallFault> {
    match present(map, name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => {
            let fault = CallFault::new(format!("`{name}` is a string"));
            let fault = values::joined_words(other)
                .into_iter()
                .fold(fault, |fault, words| fault.set(name, words));
            Err(fault.without(name))
        }
    }
}

/// A boolean argument, false when absent.
///
/// # Errors
/// When it is present and is no boolean.
pub(crate) fn flag(map: &Map<String, Value>, name: &str) -> Result<bool, CallFault> {
    match present(map, name) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => {
            // Whoever sends anything at all most probably wants it.
            let meant = values::flag(other).unwrap_or(true);
            Err(CallFault::new(format!("`{name}` is true or false")).set(name, meant))
        }
    }
}

/// A whole number that is not negative; `5.0` is one too (JSON Schema, `integer`).
///
/// # Errors
/// When it is present and is no such number.
pub(crate) fn whole_number(map: &Map<String, Value>, name: &str) -> Result<Option<u64>, CallFault> {
    let read = |value: &Value| {
        value
            .as_u64()
            .or_else(|| value.to_string().strip_suffix(".0")?.parse().ok())
            .ok_or_else(|| not_whole(name, value))
    };
    present(map, name).map(read).transpose()
}

fn not_whole(name: &str, value: &Value) -> CallFault {
    let fault = CallFault::new(format!("`{name}` is a positive whole number"));
    let number = values::whole_number(value, 0, u64::from(u32::MAX));
    let fault = number
        .into_iter()
        .fold(fault, |fault, number| fault.set(name, number));
    fault.without(name)
}

/// The argument `name`, if it is present and not `null`.
pub(super) fn present<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    map.get(name).filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tool_without_arguments_says_that_it_takes_none() {
        let Value::Object(map) = json!({"verbose": true}) else {
            panic!("an object");
        };
        let said = refuse_unknown(&map, &[]).unwrap_err().say(&json!(null));
        assert!(said.contains("\"verbose\"; this tool takes none"), "{said}");
    }

    #[test]
    fn a_whole_number_may_come_with_a_zero_behind_the_point() {
        let limit =
            |limit: Value| whole_number(json!({"limit": limit}).as_object().unwrap(), "limit");
        assert_eq!(limit(json!(5.0)).unwrap(), Some(5));
        assert!(limit(json!("5.0")).is_err());
        assert!(limit(json!(-5.0)).is_err());
    }
}
