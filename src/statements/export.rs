//! The statements that read whole tables for an export, made from the catalogue alone. They read every column but the person,
//! the search vector and the transaction id, which have values of their own in another database. Of an account that several sources
//! have, each source's rows are there as it tells them, and beside them what is served in their place.

use sextant_actors::domain::Sector;

use super::erase::child_first;
use super::write::{qualified, quoted};
use crate::catalog::{self, Table};

/// Columns that every sector table has, before those of the catalogue and after them.
const FIRST: [&str; 3] = ["id", "connection_id", "source_id"];
const LAST: [&str; 4] = ["raw", "extra", "updated_at", "synced_at"];
/// The name under which the time is told at which its source removed a row.
const REMOVED: &str = "deleted_at";

/// The stored tables of `sector`, each after those it refers to.
pub(crate) fn parents_first(sector: Sector) -> Vec<&'static Table> {
    let stored = catalog::sector(sector)
        .iter()
        .filter(|table| table.is_stored());
    let mut tables = child_first(stored.collect());
    tables.reverse();
    tables
}

/// Selects every row, tombstones included, as `line`: the text of a jsonb object, in the order of ids. `$1` is the user.
pub fn rows(table: &Table) -> String {
    rows_of(&format!(r#""{}"."{}""#, table.sector, table.name), table)
}

/// Selects the pushed rows of a merged table in the same way.
pub fn evidence(table: &Table) -> String {
    rows_of(&qualified(table), table)
}

/// The order is applied in the inner query, so that the sort handles short rows: long values are stored out of line and
/// fetched only for the text of a line.
fn rows_of(place: &str, table: &Table) -> String {
    let own = table.fields.iter();
    let own = own.map(|field| (field.told_column(), field.name));
    let columns: Vec<String> = FIRST
        .map(|name| (name, name))
        .into_iter()
        .chain(own)
        .chain(LAST.map(|name| (name, name)))
        .chain([(table.removed_column(), REMOVED)])
        .chain(table.serving_columns().map(|(name, _)| (name, name)))
        .map(|(column, name)| named(column, name))
        .collect();
    format!(
        "SELECT to_jsonb(kept)::text AS line
FROM (SELECT {columns} FROM {place} WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id",
        columns = columns.join(", ")
    )
}

fn named(column: &str, name: &str) -> String {
    match column == name {
        true => quoted(name),
        false => format!("{} AS {}", quoted(column), quoted(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_comes_after_those_that_it_refers_to() {
        for sector in Sector::ALL {
            let names: Vec<&str> = parents_first(sector)
                .iter()
                .map(|table| table.name)
                .collect();
            for (place, table) in parents_first(sector).iter().enumerate() {
                let references = table.fields.iter().filter_map(|field| field.reference);
                for parent in references.map(|reference| reference.table) {
                    let is_before = names[..=place].contains(&parent);
                    // Events name the exceptions of their series, and mailboxes and series their own kind.
                    assert!(is_before, "{} before {parent}", table.target());
                }
            }
        }
    }
}
