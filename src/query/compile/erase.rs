//! The statements that erase one connection's rows, made from the catalogue alone (invariant 1): no name comes from input.

use sextant_actors::domain::Sector;

use super::write::qualified;
use crate::catalog::{self, Table};

/// The statements that erase a connection's rows from every table of `sector`, those that refer before those referred to.
/// Each takes the user as `$1` and the connection as `$2`.
pub fn of_connection(sector: Sector) -> Vec<String> {
    let stored = catalog::sector(sector)
        .iter()
        .filter(|table| table.is_stored());
    child_first(stored.collect())
        .into_iter()
        .map(erase)
        .collect()
}

/// The statements that erase the merged rows that bear the connection: what others still tell of them is merged anew.
pub fn merged(sector: Sector) -> Vec<String> {
    let tables = catalog::sector(sector).iter();
    let merged = tables.filter(|table| table.is_merged);
    merged
        .map(|table| erase_from(&format!(r#""{}"."{}""#, table.sector, table.name)))
        .collect()
}

fn erase(table: &Table) -> String {
    erase_from(&qualified(table))
}

fn erase_from(place: &str) -> String {
    format!("DELETE FROM {place} WHERE user_id = $1 AND connection_id = $2")
}

/// Takes, again and again, a table that no other remaining one refers to; in a circle any will do.
pub(super) fn child_first(mut remaining: Vec<&'static Table>) -> Vec<&'static Table> {
    let mut ordered = Vec::with_capacity(remaining.len());
    while !remaining.is_empty() {
        let free = remaining
            .iter()
            .position(|table| !is_referred_to(table, &remaining))
            .unwrap_or(0);
        ordered.push(remaining.remove(free));
    }
    ordered
}

fn is_referred_to(parent: &Table, others: &[&Table]) -> bool {
    others
        .iter()
        .filter(|other| other.name != parent.name)
        .flat_map(|other| other.fields)
        .filter_map(|field| field.reference)
        .any(|reference| reference.table == parent.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stored_table_is_erased_once_and_before_the_tables_it_refers_to() {
        for sector in Sector::ALL {
            let stored: Vec<_> = catalog::sector(sector)
                .iter()
                .filter(|table| table.is_stored())
                .collect();
            let ordered = child_first(stored.clone());
            assert_eq!(ordered.len(), stored.len());
            for (place, table) in ordered.iter().enumerate() {
                assert!(
                    !is_referred_to(table, &ordered[place..]),
                    "{}",
                    table.target()
                );
            }
        }
    }

    #[test]
    fn r006_every_statement_is_scoped_to_a_user_and_a_connection() {
        let statements = of_connection(Sector::Contacts);
        assert_eq!(
            statements[0],
            r#"DELETE FROM "contacts"."people" WHERE user_id = $1 AND connection_id = $2"#
        );
    }
}
