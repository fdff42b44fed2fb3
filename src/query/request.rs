//! Reads the arguments of `query`. Strict: an unknown argument is a fault that names the nearest valid one.
//!
//! Knows the arguments' names and JSON types; whether fields exist and values fit is checked by `check`.

use serde_json::{Map, Value};
use sextant_actors::domain::Sector;

use super::arguments::{flag, object, present, refuse_unknown, text, whole_number};
use super::budget::TokenBudget;
use super::fault::{CallFault, quoted};
use super::nearest::nearest;
use super::repair::{conditions, shapes};
use super::{GROUP_KEYS_MAX, ORDER_KEYS_MAX, ROWS_MAX};
use crate::catalog::{self, Table};

/// The arguments of `query`.
pub(crate) const ARGUMENTS: &[&str] = &[
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
/// The most names in a list.
const NAMES_MAX: usize = 100;

/// How the rows of an answer are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowFormat {
    /// Arrays in the order of `columns`.
    #[default]
    Rows,
    /// Objects.
    Records,
}

/// The arguments of one call. Each has its JSON type; nothing more was checked.
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
    pub budget: TokenBudget,
    pub format: RowFormat,
}

impl Request {
    /// Reads the arguments of one call; `null` stands for an absent argument.
    ///
    /// # Errors
    /// The fault of the first wrong argument.
    pub fn parse(arguments: &Value) -> Result<Self, CallFault> {
        let map = object(arguments)?;
        refuse_unknown(map, ARGUMENTS)?;
        Ok(Self {
            target: text(map, "target")?.ok_or_else(missing_target)?,
            select: names(map, "select", NAMES_MAX)?,
            filter: filter(map)?,
            search: text(map, "search")?,
            group_by: names(map, "group_by", GROUP_KEYS_MAX)?,
            aggregate: aggregate(map)?,
            // Without keys, rows come in the table's own order.
            order_by: names(map, "order_by", ORDER_KEYS_MAX)?.unwrap_or_default(),
            limit: limit(map)?,
            cursor: text(map, "cursor")?,
            count: flag(map, "count")?,
            changed_since: text(map, "changed_since")?,
            budget: budget(map)?,
            format: format(map)?,
        })
    }

    /// Whether it asks for groups instead of rows.
    pub(crate) fn is_grouped(&self) -> bool {
        self.group_by.is_some() || self.aggregate.is_some()
    }
}

fn missing_target() -> CallFault {
    let text = "`target` is missing: a table such as finance.transactions; get_schema lists them";
    main_targets().fold(CallFault::new(text), |fault, target| {
        fault.set("target", target)
    })
}

/// The main table of each sector; if an agent is granted any sector, at least one of them is its own.
pub(crate) fn main_targets() -> impl Iterator<Item = String> {
    let sectors = Sector::ALL.into_iter();
    sectors.filter_map(|sector| catalog::sector(sector).first().map(Table::target))
}

/// A list of names, or a single one. The fault names the bound `count`, but `check` enforces it, since its fault can tell names apart.
fn names(
    map: &Map<String, Value>,
    name: &str,
    count: usize,
) -> Result<Option<Vec<String>>, CallFault> {
    let Some(value) = present(map, name) else {
        return Ok(None);
    };
    let wrong = || {
        CallFault::new(format!(
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

fn filter(map: &Map<String, Value>) -> Result<Option<Map<String, Value>>, CallFault> {
    match present(map, "where") {
        None => Ok(None),
        Some(Value::Object(filter)) => Ok(Some(filter.clone())),
        Some(other) => Err(CallFault::new(
            r#"`where` is an object of field names, such as {"amount":{"lt":0}}"#,
        )
        .set("where", conditions::parse(other))),
    }
}

fn aggregate(map: &Map<String, Value>) -> Result<Option<Map<String, Value>>, CallFault> {
    match present(map, "aggregate") {
        None => Ok(None),
        Some(Value::Object(aggregate)) if aggregate.is_empty() => Ok(None),
        Some(Value::Object(aggregate)) => Ok(Some(aggregate.clone())),
        Some(other) => Err(CallFault::new(
            r#"`aggregate` is an object of names and functions, such as {"spent":"sum(amount)","n":"count"}"#,
        )
        .set("aggregate", shapes::aggregate(other, &|_| false))),
    }
}

fn limit(map: &Map<String, Value>) -> Result<Option<usize>, CallFault> {
    let Some(limit) = whole_number(map, "limit")? else {
        return Ok(None);
    };
    usize::try_from(limit)
        .ok()
        .filter(|limit| (1..=ROWS_MAX).contains(limit))
        .map(Some)
        .ok_or_else(|| {
            let nearest = limit.clamp(1, ROWS_MAX as u64);
            CallFault::new(format!("`limit` is 1 to {ROWS_MAX}, not {limit}")).set("limit", nearest)
        })
}

fn budget(map: &Map<String, Value>) -> Result<TokenBudget, CallFault> {
    whole_number(map, "budget")?.map_or_else(|| Ok(TokenBudget::default()), TokenBudget::of)
}

fn format(map: &Map<String, Value>) -> Result<RowFormat, CallFault> {
    match text(map, "format")?.as_deref() {
        None | Some("rows") => Ok(RowFormat::Rows),
        Some("records") => Ok(RowFormat::Records),
        Some(other) => {
            let right = nearest(other, ["rows", "records"]).unwrap_or("rows");
            let text = format!("`format` is rows or records, not {}", quoted(other));
            Err(CallFault::new(text).set("format", right))
        }
    }
}

#[cfg(test)]
mod tests;
