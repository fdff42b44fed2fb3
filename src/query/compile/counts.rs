//! Compiles the reading of what `sums.counts` keeps of tables (`sql/migrations/0011_counts.sql`): their number of rows, and the
//! values of their fields of few values (`is_kind`), the most frequent first. No row of a sector is read.

use uuid::Uuid;

use super::builder::Builder;
use super::{Plan, Statement};
use crate::catalog::Table;

/// The most values of one field.
const VALUES_MAX: usize = 8;

/// One row a value: its table's target, its field, the value, the number of rows that have it, and the number of values that the
/// field has in all. The rows of a table have an empty field and value.
pub fn counts(user: Uuid, tables: &[&Table]) -> Statement {
    let targets: Vec<String> = tables
        .iter()
        .map(|table| format!("'{}'", table.target()))
        .collect();
    let mut builder = Builder::new(user);
    builder.push(&format!(
        "SELECT v.target, v.field, v.value, v.rows, v.total
FROM (SELECT t.target, t.field, t.value, t.rows, count(*) OVER (PARTITION BY t.target, t.field) AS total,
    row_number() OVER (PARTITION BY t.target, t.field ORDER BY t.rows DESC, t.value) AS rank
FROM sums.counts AS t
WHERE t.user_id = $1 AND t.target IN ({})) AS v
WHERE v.rank <= {VALUES_MAX}
ORDER BY v.target, v.field, v.rank",
        targets.join(", ")
    ));
    builder.finish(Plan::Lasting)
}
