//! How much of a table there is: its rows, and the first and last value of the time it is ordered by.

use uuid::Uuid;

use super::builder::{Builder, column_sql};
use super::{Plan, Statement};
use crate::catalog::Table;
use crate::query::column;

/// Rows, and of a table that is ordered by time (`column::main_time`) the first and last.
pub fn coverage(user: Uuid, table: &Table) -> Statement {
    let mut builder = Builder::new(user);
    builder.push("SELECT count(*)");
    if let Some(column) = column::main_time(table) {
        let place = column_sql(&column);
        builder.push(&format!(", min({place}), max({place})"));
    }
    builder.from(table, false);
    builder.finish(Plan::Lasting)
}
