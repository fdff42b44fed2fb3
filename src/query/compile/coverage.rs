//! Compiles from when to when a table has rows, by the time that it is ordered by, and how many groups a view has. However many
//! rows there are, few are read: the first and the last of an index by time, and of a view the newest rows that it groups. Deleted
//! rows lie at neither end, since their fields are empty (`statements::write`): they stand among the rows without a time, which no
//! statement here walks.

use uuid::Uuid;

use super::builder::{Builder, column_sql, identifier};
use super::{Plan, Statement};
use crate::catalog::{self, Grouped, Table};
use crate::query::column::{self, Column};

/// The most rows of which a view's groups are counted; those of more rows are estimated.
const COUNTED_MAX: usize = 1000;
/// The newest rows that groups are estimated from. They lie on as many pages of a large table, while a small one has few pages: so
/// few that the estimate costs no more than the count.
const SAMPLED: usize = 250;

/// Whether a row with a time is there. `deleted_at IS NULL` says the same, but before a table has statistics PostgreSQL assumes it of
/// one row in 200, takes the table to have a single one, and sorts all rows instead of walking the index. This it assumes of most.
const IS_LIVE: &str = "num_nulls(t.deleted_at) <> 0";

/// One row: the number of rows of a view, or 0; whether it is an estimate; and the first and last value of `column::main_time`.
/// `None` for a table that is not ordered by time: what is known of it is kept ([`mod@super::counts`]).
///
/// It is planned each time it runs: a plan that was made while the table had few rows may read all of them.
pub fn coverage(user: Uuid, table: &Table) -> Option<Statement> {
    let mut builder = Builder::new(user);
    match table.groups {
        Some(groups) => groups_of_newest(
            &mut builder,
            catalog::table(table.sector, groups.table)?,
            groups,
        )?,
        None => {
            let time = column::main_time(table)?;
            builder.push("SELECT 0::bigint, false,");
            end(&mut builder, table, &time, "ASC NULLS FIRST").push(",");
            end(&mut builder, table, &time, "DESC NULLS LAST");
        }
    }
    Some(builder.finish(Plan::Momentary))
}

/// The value at one end of `time`, in the order of the index or against it, so that one row is read.
fn end<'a>(builder: &'a mut Builder, table: &Table, time: &Column, order: &str) -> &'a mut Builder {
    let time = column_sql(time);
    builder.push(&format!("\n(SELECT {time}"));
    builder.rows_and_tombstones(table, false);
    builder.push(&format!(
        " AND {IS_LIVE} AND {time} IS NOT NULL\nORDER BY {time} {order} LIMIT 1)"
    ))
}

/// Groups all rows of `table`; or the newest, if these are many, and takes the others to be like them. Rows without a time come after
/// all others, from an index of theirs (`sql/migrations/0014_messages_without_time.sql`).
///
/// Each part has a limit that the planner can read, so that it walks the index; the limit of both ends that walk early.
fn groups_of_newest(builder: &mut Builder, table: &Table, groups: &Grouped) -> Option<()> {
    let (by, time) = (identifier(groups.by), Column::find(table, groups.time)?);
    let time_sql = column_sql(&time);
    let row = format!("\n(SELECT t.connection_id, t.{by} AS name, {time_sql} AS time");
    builder.push(&format!(
        "WITH kept AS MATERIALIZED (SELECT max(k.rows) AS rows, coalesce(max(k.rows) > {COUNTED_MAX}, false) AS are_more
FROM sums.counts AS k
WHERE k.user_id = $1 AND k.target = '{}' AND k.field = '' AND k.value = ''
), newest AS MATERIALIZED ({row}",
        table.target()
    ));
    builder.rows_and_tombstones(table, false).push(&format!(
        " AND {IS_LIVE} AND {time_sql} IS NOT NULL
ORDER BY {time_sql} DESC NULLS LAST, t.id DESC LIMIT {COUNTED_MAX})
UNION ALL{row}"
    ));
    builder.from(table, false).push(&format!(
        " AND {time_sql} IS NULL
ORDER BY t.id DESC LIMIT {COUNTED_MAX})
LIMIT (SELECT CASE WHEN kept.are_more THEN {SAMPLED} ELSE {COUNTED_MAX} END FROM kept)
), each AS (SELECT max(time) AS last FROM newest WHERE name IS NOT NULL GROUP BY connection_id, name
), found AS (SELECT count(*) AS n, min(last) AS first, max(last) AS last FROM each)
SELECT CASE WHEN kept.are_more THEN found.n * kept.rows / {SAMPLED} ELSE found.n END, kept.are_more,
CASE WHEN kept.are_more THEN"
    ));
    end(builder, table, &time, "ASC NULLS FIRST");
    builder.push(" ELSE found.first END, found.last\nFROM found, kept");
    Some(())
}
