//! Compiles the reading of the values that a table's fields of few values (`is_kind`) have in its newest rows, the most
//! frequent first.

use uuid::Uuid;

use super::builder::{Builder, column_sql, identifier};
use super::{Plan, Statement};
use crate::catalog::{Field, Table};
use crate::query::column;

/// The newest rows that are read, so that the time does not grow with the table.
const ROWS_MAX: usize = 20_000;
/// The most values of one field.
pub(super) const VALUES_MAX: usize = 8;
/// The most characters of a value; a field with longer ones is free text.
const VALUE_CHARS_MAX: usize = 40;

/// One row a value: the index of its field in `kinds`, the value, and the number of values that the field has in all.
pub fn values(user: Uuid, table: &Table, kinds: &[&Field]) -> Statement {
    let mut builder = Builder::new(user);
    let each = kinds.iter().enumerate();
    let pairs: Vec<String> = each
        .map(|(index, field)| format!("({index}, t.{})", identifier(field.name)))
        .collect();
    builder.push(
        "SELECT v.place, v.value, v.total
FROM (SELECT e.place, e.value, count(*) OVER (PARTITION BY e.place) AS total,
    row_number() OVER (PARTITION BY e.place ORDER BY count(*) DESC, e.value COLLATE \"C\") AS rank
FROM (SELECT t.*",
    );
    builder.from(table, false);
    match column::main_time(table) {
        Some(time) => builder.push(&format!(
            "\nORDER BY {} DESC NULLS LAST, t.id DESC",
            column_sql(&time)
        )),
        None => builder.push("\nORDER BY t.id"),
    };
    builder.push(&format!(
        "\nLIMIT {ROWS_MAX}) AS t
CROSS JOIN LATERAL (VALUES {}) AS e(place, value)
WHERE e.value <> '' AND length(e.value) <= {VALUE_CHARS_MAX}
GROUP BY e.place, e.value) AS v
WHERE v.rank <= {VALUES_MAX}
ORDER BY v.place, v.rank",
        pairs.join(", ")
    ));
    builder.finish(Plan::Lasting)
}
