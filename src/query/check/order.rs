//! `order_by`: names with an optional `-`, made total by the id.

use crate::catalog::Table;
use crate::query::column::{Column, ID};
use crate::query::fault::Fault;

/// Keys that `order_by` may have; each makes the cursor longer.
const KEYS_MAX: usize = 4;

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
pub(super) fn check(table: &Table, names: &[String]) -> Result<Vec<OrderKey>, Fault> {
    let own = table.default_order.iter().copied();
    let mut keys = if names.is_empty() {
        own.map(|name| key(table, name))
            .collect::<Result<Vec<_>, _>>()?
    } else {
        names
            .iter()
            .map(|name| key(table, name))
            .collect::<Result<Vec<_>, _>>()?
    };
    if keys.len() > KEYS_MAX {
        return Err(Fault::new(format!(
            "`order_by` has at most {KEYS_MAX} fields"
        )));
    }
    close_with_id(&mut keys);
    Ok(keys)
}

/// The order of ids, which no change moves a row in.
pub(super) fn of_ids() -> Vec<OrderKey> {
    let mut keys = Vec::new();
    close_with_id(&mut keys);
    keys
}

fn key(table: &Table, name: &str) -> Result<OrderKey, Fault> {
    let (is_descending, name) = match name.strip_prefix('-') {
        Some(name) => (true, name),
        None => (false, name),
    };
    if name == "rank" {
        return Err(Fault::new(
            "ordering by rank is not served yet: leave `order_by` out, and the newest hits come first",
        ));
    }
    let column = super::find(table, name)?;
    if !column.is_orderable() {
        return Err(Fault::new(format!(
            "`{name}` is {}, which has no order",
            column.kind.name()
        )));
    }
    Ok(OrderKey {
        column,
        is_descending,
    })
}

/// The id breaks ties in the direction of the last key, as the indexes do; whatever stands behind an id is moot.
fn close_with_id(keys: &mut Vec<OrderKey>) {
    if let Some(place) = keys.iter().position(|key| key.column == ID) {
        keys.truncate(place + 1);
        return;
    }
    let is_descending = keys.last().is_some_and(|key| key.is_descending);
    keys.push(OrderKey {
        column: ID,
        is_descending,
    });
}
