//! The statement that takes exported lines back, made from the catalogue alone.

use super::write::{quoted, sql_type};
use crate::catalog::Kind;

pub use super::write::EVIDENCE;

/// A column, and what it is called in the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    pub column: &'static str,
    pub name: &'static str,
    pub kind: Kind,
}

/// Stores the rows of the JSON array `$2`, a text, for the user `$1`.
pub fn insert(schema: &str, table: &str, columns: &[Told]) -> String {
    let joined =
        |form: fn(&Told) -> String| columns.iter().map(form).collect::<Vec<_>>().join(", ");
    format!(
        "INSERT INTO {target} (user_id, {columns})
SELECT $1, {names} FROM jsonb_to_recordset($2::text::jsonb) AS told({typed})",
        target = format_args!("{}.{}", quoted(schema), quoted(table)),
        columns = joined(|told| quoted(told.column)),
        names = joined(|told| format!("told.{}", quoted(told.name))),
        typed = joined(|told| format!("{} {}", quoted(told.name), sql_type(told.kind))),
    )
}
