//! The statement that looks up what is stored under the source ids that records might get, made from the catalogue alone.

use crate::catalog::{Field, Namesakes, Table};

use super::write::{qualified, quoted, sql_type};

/// Selects what the connection `$2` of the user `$1` has stored under the ids in `names` of each record of the jsonb array
/// `$3`: `place`, the record's position, `source_id`, whether the row `is_gone` (a tombstone), whether it `is_apart` (has the
/// same natural key and is to be distinguished), and whether it `is_same` in all fields that distinguish. `None` for a table
/// without such records.
pub fn held(table: &Table) -> Option<String> {
    let namesakes = table.namesakes?;
    let natural = quoted(table.natural?);
    let fields = fields(table, namesakes);
    let typed = fields
        .iter()
        .map(|field| format!("{} {}", quoted(field.name), sql_type(field.kind)));
    let of = |row: &str| {
        let each = fields.iter();
        let each = each.map(|field| format!("{row}.{}", quoted(field.name)));
        each.collect::<Vec<_>>().join(", ")
    };
    Some(format!(
        "SELECT asked.place, stored.source_id, stored.{removed_at} IS NOT NULL AS is_gone,
    stored.{natural} IS NOT DISTINCT FROM asked.own AND stored.{unless} IS NOT TRUE AS is_apart,
    ({stored}) IS NOT DISTINCT FROM ({asked}) AS is_same
FROM jsonb_to_recordset($3) AS asked(place integer, own text, names text[], {typed})
CROSS JOIN LATERAL unnest(asked.names) AS name
JOIN {target} AS stored ON stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = name",
        removed_at = table.removed_column(),
        unless = quoted(namesakes.unless),
        stored = of("stored"),
        asked = of("asked"),
        typed = typed.collect::<Vec<_>>().join(", "),
        target = qualified(table),
    ))
}

fn fields(table: &Table, namesakes: &Namesakes) -> Vec<&'static Field> {
    let names = namesakes.distinguished_by.iter();
    names.filter_map(|name| table.field(name)).collect()
}
