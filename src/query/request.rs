//! The shape of a query's arguments. Strict: an unknown argument is a fault that names the nearest valid one.
//!
//! Knows the arguments' names and JSON types; whether fields exist and values fit is `check`'s.

use serde_json::{Map, Value};
use sextant_actors::domain::Sector;

use super::arguments::{flag, object, present, refuse_unknown, text, whole};
use super::budget::Budget;
use super::fault::{Fault, quoted};
use super::nearest::nearest;
use super::repair::{conditions, shapes};
use super::{GROUP_KEYS_MAX, ORDER_KEYS_MAX, ROWS_MAX};
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
            select: names(map, "select", NAMES_MAX)?,
            filter: filter(map)?,
            search: text(map, "search")?,
            group_by: names(map, "group_by", GROUP_KEYS_MAX)?,
            aggregate: aggregate(map)?,
            // Where none is told, rows come in the table's own order.
            order_by: names(map, "order_by", ORDER_KEYS_MAX)?.unwrap_or_default(),
            limit: limit(map)?,
            cursor: text(map, "cursor")?,
            count: flag(map, "count")?,
            changed_since: text(map, "changed_since")?,
            budget: budget(map)?,
            format: format(map)?,
        })
    }

    /// Whether groups are asked for, and not rows.
    pub fn is_grouped(&self) -> bool {
        self.group_by.is_some() || self.aggregate.is_some()
    }
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

/// A list of names; a single one may stand alone. That they are at most `count` is for `check` to see to: its repair knows them.
fn names(map: &Map<String, Value>, name: &str, count: usize) -> Result<Option<Vec<String>>, Fault> {
    let Some(value) = present(map, name) else {
        return Ok(None);
    };
    let wrong = || {
        Fault::new(format!(
            "`{name}` is a list of field names, at most {count}"
        ))
        .set(
            name,
            shapes::names(value)
                .as_array()
                .map_or_else(Vec::new, |names| {
                    names.iter().take(count).cloned().collect()
                }),
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
        for name in ["offset", "skip", "page"] {
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
    fn a_list_that_cannot_be_read_is_told_the_bound_that_it_will_meet() {
        let keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        let objects: Vec<Value> = keys.iter().map(|key| json!({"field": key})).collect();
        for (name, most) in [("order_by", 4), ("group_by", 8)] {
            let said = said(json!({"target": "mail.messages", name: objects}));
            assert!(said.contains(&format!("at most {most}")), "{said}");
            let right = json!({"target": "mail.messages", name: keys[..most]});
            assert!(said.ends_with(&format!("Try: {right}")), "{said}");
        }
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
