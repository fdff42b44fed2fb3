//! The cost of a query for each row that it may read, and its limit. Pure.
//!
//! The unit is one comparison of a number. A condition costs its field's cost times its test's factor; keys, measures and order cost
//! likewise. Costs come from the catalogue alone, so that the same query always costs the same, whatever the rows.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::check::{CheckedQuery, Condition, Function, GroupColumn, GroupQuery, OrderKey, Test};
use super::column::ID;
use super::fault::CallFault;
use super::param::Param;
use super::repair::conditions;
use super::request::Request;

/// The most that a query may cost for each row: searching some fifteen long texts, or sixty short ones.
const COST_MAX: u64 = 1000;
/// The factor of searching a text, beside comparing it.
const LIKE_COST: u64 = 4;
/// So many values of a list cost one comparison more.
const VALUES_PER_COST: usize = 50;
/// The factor of sorting a value among all others, for a median or distinct values.
const SORTED_COST: u64 = 8;
/// The factor of a value by which rows are grouped or ordered.
const KEY_COST: u64 = 2;

/// A part of a query that has a cost: the argument, and the name in it.
type CostedPart = (&'static str, String);

/// Refuses a query that costs more than [`COST_MAX`].
///
/// # Errors
/// Names the costliest part, and suggests the same call without it.
pub(crate) fn check(question: &CheckedQuery, request: &Request) -> Result<(), CallFault> {
    let mut parts = BTreeMap::new();
    add_filter(&mut parts, &question.scope().filter);
    match question {
        CheckedQuery::Rows(checked) => add_order(&mut parts, &checked.order),
        CheckedQuery::Groups(grouped) => add_groups(&mut parts, grouped),
    }
    let total: u64 = parts.values().sum();
    let costliest = parts.into_iter().max_by_key(|(_, cost)| *cost);
    match costliest {
        Some((part, cost)) if total > COST_MAX => Err(too_costly(total, &part, cost, request)),
        _ => Ok(()),
    }
}

type PartCosts = BTreeMap<CostedPart, u64>;

fn add(parts: &mut PartCosts, argument: &'static str, name: &str, cost: u64) {
    let part = parts.entry((argument, name.to_owned())).or_default();
    *part = part.saturating_add(cost);
}

fn add_filter(parts: &mut PartCosts, filter: &Condition) {
    match filter {
        Condition::All(filters) | Condition::Any(filters) => {
            filters.iter().for_each(|filter| add_filter(parts, filter));
        }
        Condition::Not(filter) => add_filter(parts, filter),
        Condition::Is(column, test) => {
            // Whether a value is null is stored in the row itself, so no text is read for it.
            let unit_cost = if *test == Test::Null { 1 } else { column.cost };
            add(
                parts,
                "where",
                column.name,
                unit_cost.saturating_mul(test_factor(test)),
            );
        }
    }
}

fn test_factor(test: &Test) -> u64 {
    match test {
        Test::Like(_) => LIKE_COST,
        Test::OneOf(list) => 1 + u64::try_from(list.len() / VALUES_PER_COST).unwrap_or(u64::MAX),
        _ => 1,
    }
}

fn add_order(parts: &mut PartCosts, order: &[OrderKey]) {
    let named = order.iter().filter(|key| key.column != ID);
    named.for_each(|key| {
        add(
            parts,
            "order_by",
            key.column.name,
            key.column.cost * KEY_COST,
        )
    });
}

fn add_groups(parts: &mut PartCosts, grouped: &GroupQuery) {
    for key in &grouped.keys {
        add(parts, "group_by", &key.name, key.column.cost * KEY_COST);
    }
    for measure in &grouped.measures {
        let unit_cost = measure.column.map_or(1, |column| column.cost);
        let cost = match measure.function {
            Function::CountDistinct | Function::Median => unit_cost * SORTED_COST,
            _ => unit_cost,
        };
        add(parts, "aggregate", &measure.name, cost);
    }
    for key in &grouped.order {
        if let GroupColumn::Key(index) = key.by
            && let Some(key) = grouped.keys.get(index)
        {
            add(parts, "group_by", &key.name, key.column.cost * KEY_COST);
        }
    }
}

fn too_costly(
    total: u64,
    (argument, name): &CostedPart,
    cost: u64,
    request: &Request,
) -> CallFault {
    let (what, rather) = match *argument {
        "where" => (
            format!("the conditions on `{name}` in `where`"),
            ", or ask for words with `search`, which has an index",
        ),
        argument => (format!("`{name}` in `{argument}`"), ""),
    };
    let fault = CallFault::new(format!(
        "the query asks too much of every row: it costs {total} and may cost {COST_MAX}, of which {what} cost {cost}: drop them{rather}"
    ));
    let without = |members: &Option<Map<String, Value>>| {
        members
            .as_ref()
            .map(|members| conditions::without(members, name))
    };
    match *argument {
        "where" => fault.prefer_set("where", without(&request.filter)),
        "aggregate" => fault.prefer_set("aggregate", without(&request.aggregate)),
        argument => fault.without_item(argument, name),
    }
}

impl Param {
    /// The number of values in a list; 1 for a single value.
    pub(super) fn len(&self) -> usize {
        match self {
            Param::Texts(list) => list.len(),
            Param::Integers(list) => list.len(),
            Param::Floats(list) => list.len(),
            Param::Decimals(list) => list.len(),
            Param::Booleans(list) => list.len(),
            Param::Dates(list) => list.len(),
            Param::Times(list) => list.len(),
            Param::Ids(list) => list.len(),
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests;
