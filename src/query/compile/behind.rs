//! Compiles the reading of the rows that are hidden behind a record, and of the record that a hidden row is behind: the service serves
//! one of the rows that several connections have of one thing (`crate::derived`).

use uuid::Uuid;

use super::builder::Builder;
use super::{Plan, Statement};
use crate::catalog::{Kind, Table};
use crate::query::param::Param;

/// The most hidden rows that are read of one record: those of a day's holdings, else one of each other source.
const ROWS_MAX: usize = 100;

/// The rows that are hidden by the record `id`: `id`, the label of their connection, `source_id`, `raw`, and why the record is served
/// in their place.
pub fn behind(user: Uuid, table: &Table, id: Uuid) -> Statement {
    let mut builder = Builder::new(user);
    builder.push("SELECT t.id, c.label, t.source_id, t.raw, ");
    builder.push(&why(table));
    builder.rows_and_tombstones(table, true);
    builder.push("\n  AND t.hidden_by = ").bind(Param::Id(id));
    builder.push(&format!("\nORDER BY t.id\nLIMIT {ROWS_MAX}"));
    builder.finish(Plan::Lasting)
}

/// The record that is served in the place of the row `id`, if it is hidden.
pub fn served_in_place(user: Uuid, table: &Table, id: Uuid) -> Statement {
    let mut builder = Builder::new(user);
    builder.push("SELECT t.hidden_by");
    builder.rows_and_tombstones(table, false);
    builder.push("\n  AND t.hidden_by IS NOT NULL AND t.id = ");
    builder.bind(Param::Id(id));
    builder.finish(Plan::Lasting)
}

/// Why the row `hidden_by` is served and not `t`: the first rule by which the two differ.
fn why(table: &Table) -> String {
    let target = format!(r#""{}"."{}""#, table.sector, table.name);
    let merged = table.fields.iter().find_map(|field| field.split);
    let (Some(columns), Some(rule)) = (merged, table.inferred_day) else {
        return match merged {
            Some(_) => "'the one served is of the account that tells of the day'",
            None => "'the one served was so before, or has more transactions or fields'",
        }
        .to_owned();
    };
    let (field, value) = rule.applies_to;
    let is_pending = |row: &str| format!(r#"({row}."{field}" IS NOT DISTINCT FROM '{value}')"#);
    format!(
        r#"(SELECT CASE
        WHEN {hidden_pending} AND NOT {served_pending} THEN 'the one served is posted and this one {value}'
        WHEN {served_filled} > {hidden_filled} THEN 'the one served has more fields'
        WHEN s."{merged}" IS NULL AND t."{merged}" IS NOT NULL THEN 'the one served is of the account that is served'
        ELSE 'both tell as much, and one is served'
    END FROM {target} AS s WHERE s.user_id = $1 AND s.id = t.hidden_by)"#,
        hidden_pending = is_pending("t"),
        served_pending = is_pending("s"),
        served_filled = filled(table, "s"),
        hidden_filled = filled(table, "t"),
        merged = columns.merged,
    )
}

/// How many fields of a row are filled, of those that say what was moved (`sql/statements/duplicates/transactions.sql`).
fn filled(table: &Table, row: &str) -> String {
    let says = table.fields.iter().filter(|field| {
        field.reference.is_none()
            && !field.required
            && field.values.is_empty()
            && field.kind != Kind::Boolean
            && field.name != "currency"
    });
    let names = says.map(|field| format!(r#"{row}."{}""#, field.name));
    format!("num_nonnulls({})", names.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    #[test]
    fn what_is_counted_is_what_decides() {
        let table = catalog::by_target("finance.transactions").unwrap();
        let decides = include_str!("../../../sql/statements/duplicates/transactions.sql");
        let listed = decides.split_once("num_nonnulls(").unwrap().1;
        let listed = listed.split_once(')').unwrap().0;
        let mut listed: Vec<&str> = listed.split(',').map(str::trim).collect();
        let counted = filled(table, "t")
            .replace("num_nonnulls(", "")
            .replace(')', "");
        let counted = counted.replace("t.\"", "").replace('"', "");
        let mut counted: Vec<&str> = counted.split(", ").collect();
        listed.sort_unstable();
        counted.sort_unstable();
        assert_eq!(listed, counted);
    }
}
