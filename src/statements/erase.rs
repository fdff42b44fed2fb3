//! The statements that erase the rows of connections, and those that count them before: made from the catalogue alone
//! (invariant 1), so that a table added there needs no other line. No name comes from input.
//!
//! `$1` is the user and `$2` the ids of the connections in all of them. Never by the user alone: a connection that is made
//! while an erase is under way is not of it, and is not to lose half of its first push.

use sextant_actors::domain::Sector;

use super::write::{EVIDENCE, quoted};
use crate::catalog::{self, Table};

/// Which rows of a table are the connections'.
const OWN: &str = "connection_id = ANY($2::uuid[])";
/// Accounts, and what banks have stated of them, which is evidence and names no connection.
const ACCOUNTS: &str = "finance.accounts";
const STATED: &str = "balances";
const OF_ACCOUNTS: &str = "account_id IN (
    SELECT id FROM finance.accounts WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
)";

/// Where rows are erased, and the statement that does it.
pub struct Erasure {
    /// The table, as an export names it: `finance.transactions`, `evidence.days`.
    pub place: String,
    pub statement: String,
}

/// One for every place in which rows of `sector` are stored, those that refer before those referred to.
pub fn of_connections(sector: Sector) -> Vec<Erasure> {
    let places = places(sector).into_iter();
    let erasures = places.map(|place| Erasure {
        place: place.name(),
        statement: format!("DELETE {}", place.of_connections()),
    });
    erasures.collect()
}

/// Answers `place` and `n` for each place of `sectors`: what the statements above would erase.
pub fn count(sectors: &[Sector]) -> String {
    let places = sectors.iter().flat_map(|sector| places(*sector));
    let counts = places.map(|place| {
        format!(
            "SELECT '{}' AS place, count(*) AS n {}",
            place.name(),
            place.of_connections()
        )
    });
    counts.collect::<Vec<_>>().join("\nUNION ALL ")
}

/// Where rows are stored, and which of them are the connections'.
struct Place {
    schema: &'static str,
    table: &'static str,
    is_theirs: &'static str,
}

impl Place {
    fn own(schema: &'static str, table: &'static str) -> Self {
        Self {
            schema,
            table,
            is_theirs: OWN,
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
            self.is_theirs
        )
    }
}

/// A merged table's rows are erased beside the evidence they are made of; what others tell of them is merged anew.
///
/// Evidence is counted like the rows that are made of it: a day as a device pushed it and a balance as a bank stated it are what
/// a person brought, so that an erase of everything tells of each row that an import of the same store tells of.
fn places(sector: Sector) -> Vec<Place> {
    let stored = catalog::sector(sector)
        .iter()
        .filter(|table| table.is_stored());
    let ordered = child_first(stored.collect()).into_iter();
    ordered
        .flat_map(|table| {
            let own = Place::own(table.sector.name(), table.name);
            evidence(table).into_iter().chain([own])
        })
        .collect()
}

fn evidence(table: &Table) -> Option<Place> {
    if table.is_merged {
        return Some(Place::own(EVIDENCE, table.name));
    }
    (table.target() == ACCOUNTS).then_some(Place {
        schema: EVIDENCE,
        table: STATED,
        is_theirs: OF_ACCOUNTS,
    })
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
