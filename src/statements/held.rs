//! The statement that counts the rows of one connection, made from the catalogue alone.

use sextant_actors::domain::Sector;

use super::write::quoted;
use crate::catalog;

/// Selects the number of rows that the connection `$2` of the user `$1` has in the tables of `sector`, without those that were
/// deleted; with those that are hidden, since it has brought them.
pub fn count(sector: Sector) -> String {
    let stored = catalog::sector(sector)
        .iter()
        .filter(|table| table.is_stored());
    let counts = stored.map(|table| {
        format!(
            "SELECT count(*) AS n FROM {}.{} WHERE user_id = $1 AND connection_id = $2 AND {} IS NULL",
            quoted(table.sector.name()),
            quoted(table.name),
            table.removed_column(),
        )
    });
    format!(
        "SELECT sum(n)::bigint AS n FROM (\n{}\n) AS counted",
        counts.collect::<Vec<_>>().join("\nUNION ALL ")
    )
}
