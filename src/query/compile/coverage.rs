//! Compiles how much of a table there is: its number of rows, and the first and last value of the time that it is ordered by.

use uuid::Uuid;

use super::builder::{Builder, column_sql};
use super::{Plan, Statement};
use crate::catalog::Table;
use crate::query::column;

/// One row: the number of rows, then, for a table that is ordered by time (`column::main_time`), its first and last time.
pub fn coverage(user: Uuid, table: &Table) -> Statement {
    let mut builder = Builder::new(user);
    builder.push("SELECT count(*)");
    if let Some(column) = column::main_time(table) {
        let time = column_sql(&column);
        builder.push(&format!(", min({time}), max({time})"));
    }
    builder.from(table, false);
    builder.finish(Plan::Lasting)
}
