//! The statement that inserts exported lines, made from the catalogue alone.

use super::write::{quoted, sql_type};
use crate::catalog::Kind;

pub(crate) use super::write::EVIDENCE;

/// A column, and its name in the exported lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportedColumn {
    pub column: &'static str,
    pub name: &'static str,
    pub kind: Kind,
}

/// Inserts the rows of the JSON array in the text `$2` for the user `$1`.
pub fn insert(schema: &str, table: &str, columns: &[ExportedColumn]) -> String {
    let joined = |form: fn(&ExportedColumn) -> String| {
        columns.iter().map(form).collect::<Vec<_>>().join(", ")
    };
    format!(
        "INSERT INTO {target} (user_id, {columns})
SELECT $1, {names} FROM jsonb_to_recordset($2::text::jsonb) AS told({typed})",
        target = format_args!("{}.{}", quoted(schema), quoted(table)),
        columns = joined(|column| quoted(column.column)),
        names = joined(|column| format!("told.{}", quoted(column.name))),
        typed = joined(|column| format!("{} {}", quoted(column.name), sql_type(column.kind))),
    )
}
