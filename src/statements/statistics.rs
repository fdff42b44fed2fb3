//! The statement that takes statistics of a table, made from the catalogue alone.

use crate::catalog::{Field, Kind, Table};

use super::write::{qualified, quoted};

/// Columns of every sector table by which statements of the service find rows.
const COMMON: [&str; 6] = [
    "id",
    "user_id",
    "connection_id",
    "source_id",
    "changed_xid",
    "deleted_at",
];

/// Takes statistics of the columns by which rows are found. Texts are left to the server's own rounds: they are long, and no
/// statement of a push selects by them. Where another transaction takes statistics of the table already, nothing is done.
pub(crate) fn analyze(table: &Table) -> String {
    let is_key = |field: &&Field| {
        field.reference.is_some() || matches!(field.kind, Kind::Id | Kind::Date | Kind::Timestamp)
    };
    let fields = table.fields.iter().filter(is_key);
    let serving = table.serving_columns().map(|(name, _)| name);
    let fields = fields.map(|field| field.name).chain(serving);
    let names = COMMON.into_iter().chain(fields);
    let columns: Vec<String> = names.map(quoted).collect();
    format!(
        "ANALYZE (SKIP_LOCKED) {} ({})",
        qualified(table),
        columns.join(", ")
    )
}
