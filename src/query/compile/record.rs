//! Compiles the reading of one record by its id: every column, texts in full.

use uuid::Uuid;

use super::builder::{Builder, column_sql};
use super::{Plan, Statement};
use crate::catalog::Table;
use crate::query::column;
use crate::query::param::Param;

/// All columns of the record `id` in the order of `column::all`; with `raw`, then `column::SOURCE_COLUMNS`.
pub fn record(user: Uuid, table: &Table, id: Uuid, raw: bool) -> Statement {
    let mut builder = Builder::new(user);
    let columns: Vec<String> = column::all(table)
        .map(|column| column_sql(&column))
        .collect();
    builder.push("SELECT ").push(&columns.join(", "));
    if raw {
        builder.push(", t.raw, t.extra");
    }
    builder.from(table, true);
    builder.push("\n  AND t.id = ").bind(Param::Id(id));
    builder.finish(Plan::Lasting)
}
