//! Compiles a query for rows: the page, the number of all rows, and whether the table has any.

use super::builder::Builder;
use super::{Plan, Statement, changes, conditions, keyset, ranked};
use crate::catalog::Kind;
use crate::query::check::{RowQuery, RowScope};
use crate::query::column::{Column, Location};
use crate::query::cursor::KEY_CHARS_MAX;
use crate::query::param::Param;

/// One page: the watermark, the selected columns, then the order's keys, and for changes whether the row still matches. One row more than
/// `limit` is read, to know whether there are more.
///
/// Texts are cut one character after `text_chars`, so that a page of long texts stays small in memory and a cut is noticed.
pub fn rows(checked: &RowQuery, text_chars: usize) -> Statement {
    let mut builder = Builder::new(checked.scope.user);
    let cut = i64::try_from(text_chars)
        .unwrap_or(i64::MAX)
        .saturating_add(1);
    builder.push("SELECT ").push_watermark(checked.scope.table);
    for column in &checked.select {
        write_cut(&mut builder, column, cut);
        builder.push(", ");
    }
    let key_cut = i64::try_from(KEY_CHARS_MAX)
        .unwrap_or(i64::MAX)
        .saturating_add(1);
    for (index, key) in checked.order.iter().enumerate() {
        builder.push(if index == 0 { "" } else { ", " });
        write_cut(&mut builder, &key.column, key_cut);
    }
    match &checked.since {
        None if checked.is_ranked => {
            ranked::write_from(&mut builder, checked, uses_label(checked));
        }
        None => {
            builder.from(checked.scope.table, uses_label(checked));
            conditions::write_scope(&mut builder, &checked.scope);
        }
        Some(since) => {
            builder.push(", ");
            changes::write_still_matches(&mut builder, &checked.scope);
            changes::write_from(&mut builder, &checked.scope, since, uses_label(checked));
        }
    }
    if let Some(position) = &checked.after {
        builder.push("\n  AND ");
        keyset::write_after(&mut builder, &checked.order, &position.values);
    }
    if checked.is_ranked {
        ranked::write_order(&mut builder, checked);
    } else {
        keyset::write_order(&mut builder, &checked.order);
    }
    // Not bound: it is a number that was checked, and a lasting plan must know how few rows are needed.
    let limit = checked.limit.saturating_add(1);
    builder.push(&format!("\nLIMIT {limit}"));
    builder.finish(plan(checked))
}

/// The number of all rows that match, on whichever page; for changes, the number of changed rows that match.
pub fn count(checked: &RowQuery) -> Statement {
    let scope = &checked.scope;
    let with_label = conditions::uses_label(&scope.filter);
    let mut builder = Builder::new(scope.user);
    builder.push("SELECT count(*)");
    match &checked.since {
        None => builder.from(scope.table, with_label),
        Some(since) => changes::write_from(&mut builder, scope, since, with_label)
            .push(" AND t.deleted_at IS NULL"),
    };
    conditions::write_scope(&mut builder, scope);
    builder.finish(plan(checked))
}

/// Whether the table holds any row of the user.
pub fn exists(scope: &RowScope) -> Statement {
    let mut builder = Builder::new(scope.user);
    builder.push("SELECT EXISTS (SELECT 1");
    builder.from(scope.table, false);
    builder.push(")");
    builder.finish(Plan::Lasting)
}

/// Searches and changes have indexes of their own, whose use depends on the values; conditions on fields are tested along the
/// order's index.
fn plan(checked: &RowQuery) -> Plan {
    match (&checked.scope.search, &checked.since) {
        (None, None) => Plan::Lasting,
        _ => Plan::Momentary,
    }
}

fn write_cut(builder: &mut Builder, column: &Column, cut: i64) {
    if column.kind == Kind::Text && column.location == Location::Stored {
        builder.push("left(").column(column).push(", ");
        builder.bind_once(Param::Integer(cut)).push("::integer)");
    } else {
        builder.column(column);
    }
}

fn uses_label(checked: &RowQuery) -> bool {
    let is_label = |column: &Column| column.location == Location::Label;
    checked.select.iter().any(is_label)
        || checked.order.iter().any(|key| is_label(&key.column))
        || conditions::uses_label(&checked.scope.filter)
}
