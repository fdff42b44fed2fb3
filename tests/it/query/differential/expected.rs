//! The whole answer to a query, computed in memory: rows in order, or groups.

use std::cmp::Ordering;

use serde_json::Value;

use super::filter::{holds, is_found};
use super::groups;
use super::model::{Cell, Row, Table};
use super::wall::Wall;

/// The expected answer, from the first page to the last.
pub struct Expected {
    /// Of groups: all columns. Of rows: those that are compared.
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
    /// Rows or groups before the limit.
    pub matched: usize,
}

pub fn expected(table: &Table, arguments: &Value, wall: &Wall) -> Expected {
    let mut matching: Vec<&Row> = table
        .rows
        .iter()
        .filter(|row| matches(table, row, arguments, wall))
        .collect();
    if arguments.get("group_by").is_some() || arguments.get("aggregate").is_some() {
        return groups::expected(table, &matching, arguments, wall);
    }
    sort(table, &mut matching, arguments);
    let columns = match arguments.get("select") {
        Some(names) => names_of(names),
        None => table
            .columns
            .iter()
            .map(|column| column.name.to_owned())
            .collect(),
    };
    let rows = matching
        .iter()
        .map(|row| columns.iter().map(|name| row.get(name).clone()).collect());
    Expected {
        rows: rows.collect(),
        columns,
        matched: matching.len(),
    }
}

fn matches(table: &Table, row: &Row, arguments: &Value, wall: &Wall) -> bool {
    let fits = |filter: &Value| holds(row, filter, wall);
    arguments.get("where").is_none_or(fits)
        && arguments
            .get("search")
            .is_none_or(|search| is_found(table, row, search.as_str().unwrap()))
}

/// A list of names without repetitions.
pub fn names_of(names: &Value) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for name in names.as_array().unwrap() {
        let name = name.as_str().unwrap().to_owned();
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

/// A name in `order_by`, and whether it is descending.
pub fn directed(name: &str) -> (&str, bool) {
    name.strip_prefix('-')
        .map_or((name, false), |name| (name, true))
}

/// Sorts in the given order, or else in the table's own; ids break ties, in the direction of the last key.
fn sort(table: &Table, rows: &mut [&Row], arguments: &Value) {
    let own = || vec![table.order.to_owned()];
    let asked = arguments.get("order_by").map_or_else(own, |names| {
        let names = names.as_array().unwrap();
        names
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect()
    });
    let mut keys: Vec<(&str, bool)> = asked.iter().map(|name| directed(name)).collect();
    let is_descending = keys.last().is_some_and(|(_, is_descending)| *is_descending);
    keys.push(("id", is_descending));
    rows.sort_by(|left, right| {
        let mut orderings = keys
            .iter()
            .map(|(name, is_descending)| left.get(name).compare(right.get(name), *is_descending));
        orderings
            .find(|ordering| ordering.is_ne())
            .unwrap_or(Ordering::Equal)
    });
}
