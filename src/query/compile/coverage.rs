//! Compiles from when to when a table has rows, by the time that it is ordered by. PostgreSQL reads its index
//! at both ends once it has statistics of the table; before, it may read all rows.

use uuid::Uuid;

use super::builder::{Builder, column_sql};
use super::{Plan, Statement};
use crate::catalog::Table;
use crate::query::column;

/// One row: the number of rows of a view, which nothing keeps, and 0 of any other table; then, for a table that is ordered by time
/// (`column::main_time`), its first and last time. `None` for a table that is stored and has no such time.
pub fn coverage(user: Uuid, table: &Table) -> Option<Statement> {
    let time = column::main_time(table);
    if table.is_stored() && time.is_none() {
        return None;
    }
    let mut builder = Builder::new(user);
    builder.push(match table.is_stored() {
        true => "SELECT 0::bigint",
        false => "SELECT count(*)",
    });
    if let Some(column) = time {
        let time = column_sql(&column);
        builder.push(&format!(", min({time}), max({time})"));
    }
    builder.from(table, false);
    Some(builder.finish(Plan::Lasting))
}
