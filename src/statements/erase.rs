//! The statements that erase the rows of connections, and those that count them before, made from the catalogue alone. No
//! name comes from input.
//!
//! `$1` is the user and `$2` the ids of the connections in all of them. They never select by the user alone: a connection
//! that is created during an erase is not part of it, and must not lose half of its first push.

use sextant_actors::domain::Sector;

use super::write::{EVIDENCE, quoted};
use crate::catalog::{self, Table};

/// Selects the rows of the connections.
const OWN: &str = "connection_id = ANY($2::uuid[])";
/// The table of accounts. The balances that banks stated for them are evidence, and have no connection of their own.
const ACCOUNTS: &str = "finance.accounts";
const STATED: &str = "balances";
const OF_ACCOUNTS: &str = "account_id IN (
    SELECT id FROM finance.accounts WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
)";

/// A table in which rows are erased, and the statement that erases them.
pub struct Erasure {
    /// The table, as an export names it: `finance.transactions`, `evidence.days`.
    pub place: String,
    pub statement: String,
}

/// One for each table in which rows of `sector` are stored, a referring table before the one it refers to.
pub fn of_connections(sector: Sector) -> Vec<Erasure> {
    let locations = locations(sector).into_iter();
    let erasures = locations.map(|location| Erasure {
        place: location.name(),
        statement: format!("DELETE {}", location.of_connections()),
    });
    erasures.collect()
}

/// Selects `place`, the table, and `n`, the number of rows that [`of_connections`] would erase, for each table of `sectors`.
pub fn count(sectors: &[Sector]) -> String {
    let locations = sectors.iter().flat_map(|sector| locations(*sector));
    let counts = locations.map(|location| {
        format!(
            "SELECT '{}' AS place, count(*) AS n {}",
            location.name(),
            location.of_connections()
        )
    });
    counts.collect::<Vec<_>>().join("\nUNION ALL ")
}

/// A table, and the condition for the rows of the connections.
struct RowLocation {
    schema: &'static str,
    table: &'static str,
    condition: &'static str,
}

impl RowLocation {
    fn own(schema: &'static str, table: &'static str) -> Self {
        Self {
            schema,
            table,
            condition: OWN,
        }
    }

    fn name(&self) -> String {
        format!("{}.{}", self.schema, self.table)
    }

    fn of_connections(&self) -> String {
        format!(
            "FROM {}.{} WHERE user_id = $1 AND {}",
            quoted(self.schema),
            quoted(self.table),
            self.condition
        )
    }
}

/// The tables of a sector. A merged table's rows are erased together with the evidence they are derived from; what other
/// connections say of the same rows is merged anew afterwards.
///
/// Evidence is counted like the rows derived from it, since both came from the person. So an erase of everything reports as
/// many rows as an import of the same store.
fn locations(sector: Sector) -> Vec<RowLocation> {
    let stored = catalog::sector(sector)
        .iter()
        .filter(|table| table.is_stored());
    let ordered = child_first(stored.collect()).into_iter();
    ordered
        .flat_map(|table| {
            let own = RowLocation::own(table.sector.name(), table.name);
            evidence(table).into_iter().chain([own])
        })
        .collect()
}

fn evidence(table: &Table) -> Option<RowLocation> {
    if table.is_merged {
        return Some(RowLocation::own(EVIDENCE, table.name));
    }
    (table.target() == ACCOUNTS).then_some(RowLocation {
        schema: EVIDENCE,
        table: STATED,
        condition: OF_ACCOUNTS,
    })
}

/// The tables in an order in which each comes before those it refers to; where references form a cycle, any order.
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
    fn r006_every_statement_is_scoped_to_a_user_and_to_connections() {
        for sector in Sector::ALL {
            for erasure in of_connections(sector) {
                let statement = &erasure.statement;
                let is_scoped = [OWN, OF_ACCOUNTS]
                    .iter()
                    .any(|theirs| statement.ends_with(&format!("WHERE user_id = $1 AND {theirs}")));
                assert!(is_scoped, "{statement}");
            }
        }
    }

    #[test]
    fn what_is_counted_is_what_is_erased_and_evidence_is_no_exception() {
        let counted = count(&Sector::ALL);
        let erasures: Vec<_> = Sector::ALL.into_iter().flat_map(of_connections).collect();
        for erasure in &erasures {
            assert!(counted.contains(&format!("'{}' AS place", erasure.place)));
        }
        assert_eq!(counted.matches("UNION ALL").count() + 1, erasures.len());
        for evidence in ["evidence.days", "evidence.balances"] {
            assert!(erasures.iter().any(|erasure| erasure.place == evidence));
        }
    }
}
