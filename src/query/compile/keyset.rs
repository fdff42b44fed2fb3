//! Keyset pagination: the order, and the condition that a row comes after the last one of the previous page.
//!
//! Nulls come last in either direction, directions may be mixed; the id makes the order total.

use super::builder::{Builder, column_sql};
use crate::query::check::OrderKey;
use crate::query::param::Param;

/// Writes `ORDER BY`.
pub(super) fn write_order(builder: &mut Builder, order: &[OrderKey]) {
    builder.push("\nORDER BY ");
    write_keys(builder, order);
}

/// Writes the keys of an order.
pub(super) fn write_keys(builder: &mut Builder, order: &[OrderKey]) {
    for (index, key) in order.iter().enumerate() {
        let direction = match (key.is_descending, key.column.is_required && is_id(key)) {
            (true, true) => " DESC",
            (true, false) => " DESC NULLS LAST",
            (false, _) => "",
        };
        builder.push(if index == 0 { "" } else { ", " });
        builder.column(&key.column).push(direction);
    }
}

/// Writes the condition of coming after `values`.
pub(super) fn write_after(builder: &mut Builder, order: &[OrderKey], values: &[Option<Param>]) {
    match uniform(order, values) {
        Some((operator, values)) => write_row(builder, order, operator, values),
        None => write_expanded(builder, order, values),
    }
}

fn is_id(key: &OrderKey) -> bool {
    key.column == crate::query::column::ID
}

/// The operator and values of one row comparison, which can seek in an index; only where no key can be null and all keys
/// have the same direction.
fn uniform<'a>(
    order: &[OrderKey],
    values: &'a [Option<Param>],
) -> Option<(&'static str, Vec<&'a Param>)> {
    let is_descending = order.first()?.is_descending;
    let fits = |key: &OrderKey| key.column.is_required && key.is_descending == is_descending;
    if !order.iter().all(fits) {
        return None;
    }
    let values: Option<Vec<&Param>> = values.iter().map(Option::as_ref).collect();
    let operator = if is_descending { " < " } else { " > " };
    values.map(|values| (operator, values))
}

fn write_row(builder: &mut Builder, order: &[OrderKey], operator: &str, values: Vec<&Param>) {
    let places: Vec<String> = order.iter().map(|key| column_sql(&key.column)).collect();
    builder
        .push("(")
        .push(&places.join(", "))
        .push(")")
        .push(operator)
        .push("(");
    for (index, value) in values.into_iter().enumerate() {
        builder.push(if index == 0 { "" } else { ", " });
        builder.bind(value.clone());
    }
    builder.push(")");
}

/// One alternative a key: equal in all keys before it, and after it in this one. Nothing comes after a null.
fn write_expanded(builder: &mut Builder, order: &[OrderKey], values: &[Option<Param>]) {
    builder.push("(");
    let mut word = "(";
    for (index, (key, value)) in order.iter().zip(values).enumerate() {
        let Some(value) = value else { continue };
        builder.push(word);
        word = " OR (";
        for (before, equal) in order.iter().zip(values).take(index) {
            write_equal(builder, before, equal.as_ref());
            builder.push(" AND ");
        }
        write_beyond(builder, key, value);
        builder.push(")");
    }
    builder.push(")");
}

fn write_equal(builder: &mut Builder, key: &OrderKey, value: Option<&Param>) {
    builder.column(&key.column);
    match value {
        Some(value) => builder.push(" = ").bind(value.clone()),
        None => builder.push(" IS NULL"),
    };
}

fn write_beyond(builder: &mut Builder, key: &OrderKey, value: &Param) {
    let column = column_sql(&key.column);
    let operator = if key.is_descending { " < " } else { " > " };
    if key.column.is_required {
        builder.push(&column).push(operator).bind(value.clone());
    } else {
        builder
            .push("(")
            .push(&column)
            .push(operator)
            .bind(value.clone());
        builder.push(" OR ").push(&column).push(" IS NULL)");
    }
}
