//! The statements of a query: its rows, their number, and whether there are any at all.

use super::builder::{Builder, output};
use super::{Plan, Statement, conditions, keyset};
use crate::catalog::Kind;
use crate::query::check::{Checked, Filter};
use crate::query::column::{Column, Place};
use crate::query::cursor::KEY_CHARS_MAX;
use crate::query::param::Param;

/// One page: the selected columns, then the order's keys; one row more than asked for tells whether there are more.
///
/// Texts are cut behind `text_chars`, so that a page of long ones stays small in memory.
pub fn rows(checked: &Checked, text_chars: usize) -> Statement {
    let mut builder = Builder::new(checked.user);
    let cut = i64::try_from(text_chars)
        .unwrap_or(i64::MAX)
        .saturating_add(1);
    builder.push("SELECT ");
    for (index, column) in checked.select.iter().enumerate() {
        builder.push(if index == 0 { "" } else { ", " });
        write_cut(&mut builder, column, &output(column), cut);
    }
    let key_cut = i64::try_from(KEY_CHARS_MAX)
        .unwrap_or(i64::MAX)
        .saturating_add(1);
    for key in &checked.order {
        builder.push(", ");
        write_cut(&mut builder, &key.column, &output(&key.column), key_cut);
    }
    builder.from(checked.table, names_label(checked));
    write_conditions(&mut builder, checked);
    if let Some(values) = &checked.after {
        builder.push("\n  AND ");
        keyset::write_after(&mut builder, &checked.order, values);
    }
    keyset::write_order(&mut builder, &checked.order);
    // Written out: it is a number within our own bound, and a lasting plan needs to know how few rows are wanted.
    let limit = checked.limit.saturating_add(1);
    builder.push(&format!("\nLIMIT {limit}"));
    builder.finish(plan(checked))
}

/// How many rows match in all, wherever a page begins.
pub fn count(checked: &Checked) -> Statement {
    let mut builder = Builder::new(checked.user);
    builder.push("SELECT count(*)");
    builder.from(checked.table, conditions::names_label(&checked.filter));
    write_conditions(&mut builder, checked);
    builder.finish(plan(checked))
}

/// Whether the table holds a row at all.
pub fn exists(checked: &Checked) -> Statement {
    let mut builder = Builder::new(checked.user);
    builder.push("SELECT EXISTS (SELECT 1");
    builder.from(checked.table, false);
    builder.push(")");
    builder.finish(Plan::Lasting)
}

/// Only a search has its words in an index of its own; conditions on fields are met along the order's index.
fn plan(checked: &Checked) -> Plan {
    match checked.search {
        Some(_) => Plan::Momentary,
        None => Plan::Lasting,
    }
}

fn write_cut(builder: &mut Builder, column: &Column, output: &str, cut: i64) {
    if column.kind == Kind::Text && column.place == Place::Stored {
        builder
            .push("left(")
            .push(output)
            .push(", ")
            .bind_once(Param::Integer(cut))
            .push("::integer)");
    } else {
        builder.push(output);
    }
}

fn write_conditions(builder: &mut Builder, checked: &Checked) {
    if checked.filter != Filter::All(Vec::new()) {
        builder.push("\n  AND ");
        conditions::write(builder, &checked.filter);
    }
    if let Some(search) = &checked.search {
        builder.push("\n  AND t.tsv @@ websearch_to_tsquery('simple', ");
        builder.bind(Param::Text(search.clone())).push(")");
    }
}

fn names_label(checked: &Checked) -> bool {
    let is_label = |column: &Column| column.place == Place::Label;
    checked.select.iter().any(is_label)
        || checked.order.iter().any(|key| is_label(&key.column))
        || conditions::names_label(&checked.filter)
}
