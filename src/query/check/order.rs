//! Checks `order_by`: names with an optional `-`, to which the id is added; or `-rank`, the best hits of a search first.

use serde_json::{Value, json};

use super::names;
use crate::catalog::Table;
use crate::query::column::{Column, ID};
use crate::query::fault::CallFault;
use crate::query::request::Request;
use crate::query::{ORDER_KEYS_MAX, RANKED_HITS_MAX};

/// The order by how well a row matches the search, the best first.
const BY_RANK: &str = "-rank";

/// One key of the order. Nulls come last in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderKey {
    pub column: Column,
    pub is_descending: bool,
}

/// The order of `names`, or the table's own when there is none.
///
/// # Errors
/// For an unknown field, one that has no order, or too many.
pub(super) fn check(table: &Table, names: &[String]) -> Result<Vec<OrderKey>, CallFault> {
    let own = table.default_order.iter().copied();
    let mut keys = if names.is_empty() {
        own.map(|name| key(table, name))
            .collect::<Result<Vec<_>, _>>()?
    } else {
        names
            .iter()
            .map(|name| key(table, name))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|fault| names::prefer_reshaped(fault, "order_by", names))?
    };
    names::check_count("order_by", names, ORDER_KEYS_MAX)?;
    close_with_id(&mut keys);
    Ok(keys)
}

/// The order by id alone, in which no change of a row moves it.
pub(super) fn of_ids() -> Vec<OrderKey> {
    let mut keys = Vec::new();
    close_with_id(&mut keys);
    keys
}

/// Whether the hits of a search are ranked. Equal ranks come in the table's own order.
///
/// # Errors
/// When there is no search to rank, or `-rank` stands beside another key or a cursor.
pub(super) fn is_ranked(request: &Request, notes: &mut Vec<String>) -> Result<bool, CallFault> {
    let names = &request.order_by;
    if !names.iter().any(|name| is_rank(name)) {
        return Ok(false);
    }
    if request.search.is_none() {
        let text = "`-rank` orders the hits of a `search`, and there is none: add one, or order by a field";
        return Err(CallFault::new(text).set("order_by", fields_of(names)));
    }
    if names.iter().any(|name| name != BY_RANK) {
        let text = "`-rank` (the best hits first) stands alone in `order_by`; equal hits come newest first";
        return Err(CallFault::new(text).set("order_by", json!([BY_RANK])));
    }
    if request.cursor.is_some() {
        let text = "a ranked answer has no cursor: raise `limit`, or leave `order_by` out to page through all hits, newest first";
        return Err(CallFault::new(text).without("cursor"));
    }
    notes.push(format!(
        "ranked are the newest {RANKED_HITS_MAX} hits; a ranked answer has no cursor"
    ));
    Ok(true)
}

fn is_rank(name: &str) -> bool {
    name.trim_start_matches('-') == "rank"
}

fn fields_of(names: &[String]) -> Value {
    let fields = names.iter().filter(|name| !is_rank(name));
    fields.cloned().collect()
}

fn key(table: &Table, name: &str) -> Result<OrderKey, CallFault> {
    let (is_descending, name) = match name.strip_prefix('-') {
        Some(name) => (true, name),
        None => (false, name),
    };
    let column = names::find(table, name)?;
    if !column.is_orderable() {
        let text = format!("`{name}` is {}, which has no order", column.kind.name());
        return Err(CallFault::new(text).without_item("order_by", name));
    }
    Ok(OrderKey {
        column,
        is_descending,
    })
}

/// Adds the id in the direction of the last key, as in the indexes; keys after an id have no effect and are dropped.
fn close_with_id(keys: &mut Vec<OrderKey>) {
    if let Some(index) = keys.iter().position(|key| key.column == ID) {
        keys.truncate(index + 1);
        return;
    }
    let is_descending = keys.last().is_some_and(|key| key.is_descending);
    keys.push(OrderKey {
        column: ID,
        is_descending,
    });
}
