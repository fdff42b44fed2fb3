//! The statement that takes exported lines back, made from the catalogue alone.

use super::write::quoted;

pub use super::write::EVIDENCE;

/// Stores the rows of the JSON array `$2`, a text, for the user `$1`.
pub fn insert(schema: &str, table: &str, columns: impl Iterator<Item = &'static str>) -> String {
    let columns: Vec<String> = columns.map(quoted).collect();
    format!(
        "INSERT INTO {target} (user_id, {columns})
SELECT $1, {columns} FROM jsonb_populate_recordset(NULL::{target}, $2::text::jsonb)",
        target = format_args!("{}.{}", quoted(schema), quoted(table)),
        columns = columns.join(", "),
    )
}
