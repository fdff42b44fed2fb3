//! The shape of a query's arguments. Strict: an unknown argument is a fault that names the nearest valid one.
//!
//! Knows the arguments' names and JSON types; whether fields exist and values fit is `check`'s.

use std::sync::LazyLock;

use serde_json::{Map, Value};
use sextant_actors::domain::Sector;

use super::ROWS_MAX;
use super::budget::Budget;
use super::fault::{Fault, quoted};
use super::nearest::nearest;
use super::repair::{conditions, shapes, values};
use crate::catalog::{self, Table};

/// The arguments of `query`.
pub const ARGUMENTS: &[&str] = &[
    "target",
    "select",
    "where",
    "search",
    "group_by",
    "aggregate",
    "order_by",
    "limit",
    "cursor",
    "count",
    "changed_since",
    "budget",
    "format",
];
/// Names that a list argument may hold.
const NAMES_MAX: usize = 100;
/// What others call the way to further rows.
const PAGING: [&str; 3] = ["offset", "skip", "page"];

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Arrays in the order of `columns`.
    #[default]
    Rows,
    /// Objects.
    Records,
}

/// A query as it was asked; every argument has its JSON type, nothing more is known.
#[derive(Clone, Debug)]
pub struct Request {
    pub target: String,
    pub select: Option<Vec<String>>,
    pub filter: Option<Map<String, Value>>,
    pub search: Option<String>,
    pub group_by: Option<Vec<String>>,
    pub aggregate: Option<Map<String, Value>>,
    pub order_by: Vec<String>,
    pub limit: Option<usize>,
    pub cursor: Option<String>,
    pub count: bool,
    pub changed_since: Option<String>,
    pub budget: Budget,
    pub format: Format,
}

impl Request {
    /// Reads the arguments of one call; `null` stands for an absent argument.
    ///
    /// # Errors
    /// What is wrong with the first argument at fault.
    pub fn parse(arguments: &Value) -> Result<Self, Fault> {
        let map = object(arguments)?;
        refuse_unknown(map, ARGUMENTS)?;
        Ok(Self {
            target: text(map, "target")?.ok_or_else(missing_target)?,
            select: names(map, "select")?,
            filter: filter(map)?,
            search: text(map, "search")?,
            group_by: names(map, "group_by")?,
            aggregate: aggregate(map)?,
            order_by: names(map, "order_by")?.unwrap_or_default(),
            limit: limit(map)?,
            cursor: text(map, "cursor")?,
            count: flag(map, "count")?,
            changed_since: text(map, "changed_since")?,
            budget: budget(map)?,
            format: format(map)?,
        })
    }
}

impl Request {
    /// Whether groups are asked for, and not rows.
    pub fn is_grouped(&self) -> bool {
        self.group_by.is_some() || self.aggregate.is_some()
    }
}

/// The arguments as an object; none at all is an empty one.
///
/// # Errors
/// When they are anything else.
pub fn object(arguments: &Value) -> Result<&Map<String, Value>, Fault> {
    static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    match arguments {
        Value::Null => Ok(&NONE),
        Value::Object(map) => Ok(map),
        _ => Err(Fault::new("the arguments are an object")),
    }
}

/// Refuses every argument that is not `known`.
///
/// # Errors
/// Names the nearest valid argument.
pub fn refuse_unknown(map: &Map<String, Value>, known: &[&str]) -> Result<(), Fault> {
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
    let fault = Fault::new(format!("unknown argument {}; {valid}", quoted(name)));
    let fault = match shapes::argument(name, known) {
        Some(right) if !map.contains_key(right) => fault.rename(name, right),
        _ => fault,
    };
    Err(fault.without(name))
}

/// A text argument.
///
/// # Errors
/// When it is there and is no text.
pub fn text(map: &Map<String, Value>, name: &str) -> Result<Option<String>, Fault> {
    match present(map, name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => {
            let fault = Fault::new(format!("`{name}` is a string"));
            let fault = values::words(other)
                .into_iter()
                .fold(fault, |fault, words| fault.set(name, words));
            Err(fault.without(name))
        }
    }
}

/// A yes or no, no when absent.
///
/// # Errors
/// When it is there and is neither.
pub fn flag(map: &Map<String, Value>, name: &str) -> Result<bool, Fault> {
    match present(map, name) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => {
            let meant = values::flag(other).unwrap_or(true);
            Err(Fault::new(format!("`{name}` is true or false")).set(name, meant))
        }
    }
}

/// A whole number that is not negative; `5.0` is one too (JSON Schema, `integer`).
///
/// # Errors
/// When it is there and is none.
pub fn whole(map: &Map<String, Value>, name: &str) -> Result<Option<u64>, Fault> {
    let read = |value: &Value| {
        value
            .as_u64()
            .or_else(|| value.to_string().strip_suffix(".0")?.parse().ok())
            .ok_or_else(|| not_whole(name, value))
    };
    present(map, name).map(read).transpose()
}

fn not_whole(name: &str, value: &Value) -> Fault {
    let fault = Fault::new(format!("`{name}` is a positive whole number"));
    let number = values::whole(value, 0, u64::from(u32::MAX));
    let fault = number
        .into_iter()
        .fold(fault, |fault, number| fault.set(name, number));
    fault.without(name)
}

fn present<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    map.get(name).filter(|value| !value.is_null())
}

fn missing_target() -> Fault {
    let text = "`target` is missing: a table such as finance.transactions; get_schema lists them";
    main_targets().fold(Fault::new(text), |fault, target| {
        fault.set("target", target)
    })
}

/// The main table of each sector: one of them is granted, if anything is.
pub fn main_targets() -> impl Iterator<Item = String> {
    let sectors = Sector::ALL.into_iter();
    sectors.filter_map(|sector| catalog::sector(sector).first().map(Table::target))
}

/// A list of names; a single one may stand alone.
fn names(map: &Map<String, Value>, name: &str) -> Result<Option<Vec<String>>, Fault> {
    let Some(value) = present(map, name) else {
        return Ok(None);
    };
    let wrong = || {
        Fault::new(format!(
            "`{name}` is a list of field names, at most {NAMES_MAX}"
        ))
        .set(
            name,
            shapes::names(value)
                .as_array()
                .map_or_else(Vec::new, |names| first_names(names)),
        )
        .without(name)
    };
    let names: Option<Vec<String>> = match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(items) if items.len() <= NAMES_MAX => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect(),
        _ => None,
    };
    match names {
        Some(names) if names.is_empty() => Ok(None),
        Some(names) => Ok(Some(names)),
        None => Err(wrong()),
    }
}

fn first_names(names: &[Value]) -> Vec<Value> {
    names.iter().take(NAMES_MAX).cloned().collect()
}

fn filter(map: &Map<String, Value>) -> Result<Option<Map<String, Value>>, Fault> {
    match present(map, "where") {
        None => Ok(None),
        Some(Value::Object(filter)) => Ok(Some(filter.clone())),
        Some(other) => Err(Fault::new(
            r#"`where` is an object of field names, such as {"amount":{"lt":0}}"#,
        )
        .set("where", conditions::read(other))),
    }
}

fn aggregate(map: &Map<String, Value>) -> Result<Option<Map<String, Value>>, Fault> {
    match present(map, "aggregate") {
        None => Ok(None),
        Some(Value::Object(aggregate)) if aggregate.is_empty() => Ok(None),
        Some(Value::Object(aggregate)) => Ok(Some(aggregate.clone())),
        Some(other) => Err(Fault::new(
            r#"`aggregate` is an object of names and functions, such as {"spent":"sum(amount)","n":"count"}"#,
        )
        .set("aggregate", shapes::aggregate(other, &|_| false))),
    }
}

fn limit(map: &Map<String, Value>) -> Result<Option<usize>, Fault> {
    let Some(asked) = whole(map, "limit")? else {
        return Ok(None);
    };
    usize::try_from(asked)
        .ok()
        .filter(|limit| (1..=ROWS_MAX).contains(limit))
        .map(Some)
        .ok_or_else(|| {
            let nearest = asked.clamp(1, ROWS_MAX as u64);
            Fault::new(format!("`limit` is 1 to {ROWS_MAX}, not {asked}")).set("limit", nearest)
        })
}

fn budget(map: &Map<String, Value>) -> Result<Budget, Fault> {
    whole(map, "budget")?.map_or_else(|| Ok(Budget::default()), Budget::of)
}

fn format(map: &Map<String, Value>) -> Result<Format, Fault> {
    match text(map, "format")?.as_deref() {
        None | Some("rows") => Ok(Format::Rows),
        Some("records") => Ok(Format::Records),
        Some(other) => {
            let right = nearest(other, ["rows", "records"]).unwrap_or("rows");
            let text = format!("`format` is rows or records, not {}", quoted(other));
            Err(Fault::new(text).set("format", right))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(arguments: Value) -> String {
        Request::parse(&arguments).unwrap_err().say(&arguments)
    }

    #[test]
    fn an_unknown_argument_names_the_nearest_valid_one_and_a_corrected_call() {
        let said = said(json!({"target": "mail.messages", "limitt": 5}));
        assert!(said.contains("unknown argument \"limitt\""), "{said}");
        assert!(
            said.ends_with(r#"Try: {"limit":5,"target":"mail.messages"}"#),
            "{said}"
        );
    }

    #[test]
    fn what_has_no_like_here_is_left_out_and_the_way_to_further_rows_is_told() {
        for name in PAGING {
            let said = said(json!({"target": "mail.messages", name: 50}));
            assert!(said.contains("pass `next_cursor`"), "{said}");
            assert!(
                said.ends_with(r#"Try: {"target":"mail.messages"}"#),
                "{said}"
            );
        }
        let said = said(json!({"target": "mail.messages", "sql": "SELECT subject"}));
        assert!(
            said.ends_with(r#"Try: {"target":"mail.messages"}"#),
            "{said}"
        );
    }

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
        let limit = |limit: Value| whole(json!({"limit": limit}).as_object().unwrap(), "limit");
        assert_eq!(limit(json!(5.0)).unwrap(), Some(5));
        assert!(limit(json!("5.0")).is_err());
        assert!(limit(json!(-5.0)).is_err());
    }

    #[test]
    fn bounds_hold_and_null_is_absent() {
        for wrong in [
            json!({"limit": 0}),
            json!({"limit": 1001}),
            json!({"limit": 2.5}),
            json!({"budget": 499}),
            json!({"budget": 25001}),
            json!({"count": "yes"}),
            json!({"format": "table"}),
            json!({"select": [1]}),
            json!({"where": ["amount"]}),
            json!({"aggregate": ["count"]}),
            json!({"changed_since": 1}),
        ] {
            let mut arguments = json!({"target": "mail.messages"});
            arguments
                .as_object_mut()
                .unwrap()
                .extend(wrong.as_object().unwrap().clone());
            assert!(Request::parse(&arguments).is_err(), "{arguments}");
        }
        let request =
            Request::parse(&json!({"target": "mail.messages", "cursor": null, "limit": null}))
                .unwrap();
        assert_eq!((request.limit, request.cursor), (None, None));
    }
}
