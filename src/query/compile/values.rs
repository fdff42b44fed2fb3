//! Which values the kinds of a table take, the most frequent first, as far as its newest rows tell.

use uuid::Uuid;

use super::builder::{Builder, column_sql, identifier};
use super::{Plan, Statement};
use crate::catalog::{Field, Table};
use crate::query::column;

/// Rows that are looked at, the newest: so many are read in a moment, however many there are.
const ROWS_MAX: usize = 20_000;
/// Values of one field that are told.
pub const VALUES_MAX: usize = 8;
/// Characters of a value that is told; a longer one is no kind.
const VALUE_CHARS_MAX: usize = 40;

/// The place of a kind in `kinds`, a value of it, and how many values it has in all.
pub fn values(user: Uuid, table: &Table, kinds: &[&Field]) -> Statement {
    let mut builder = Builder::new(user);
    let each = kinds.iter().enumerate();
    let pairs: Vec<String> = each
        .map(|(place, field)| format!("({place}, t.{})", identifier(field.name)))
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
