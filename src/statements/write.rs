//! The statements that write a sector table, made from the catalogue alone. `$1` is the user and `$2` the connection in all of
//! them.

use crate::catalog::{Field, InferredDay, Kind, Origin, Table};

/// Columns of every sector table, beside those of the catalogue, that a push may set.
const COMMON: [(&str, &str); 3] = [
    ("raw", "jsonb"),
    ("extra", "jsonb"),
    ("updated_at", "timestamptz"),
];

/// A column that a push may set.
struct PushedColumn {
    /// Quoted.
    column: String,
    /// Its name in the pushed rows, quoted.
    name: String,
    sql_type: &'static str,
}

/// The schema of the rows from which merged rows are derived.
pub(crate) const EVIDENCE: &str = "evidence";

/// The form of a UUID. A text of this form is cast, so that the index on ids is used.
const UUID_FORM: &str = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/// What happens to a field that the incoming row leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbsentFields {
    /// It becomes null: the incoming row is the whole record.
    Clears,
    /// It stays as it is: the incoming row is a parent as its child describes it.
    Stays,
}

/// Which of two versions of a row wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// The one with the later `updated_at`: a device may send an older one later.
    Stamps,
    /// The incoming one: it is what its source has now, whatever it bears. A restored event may bear an older stamp.
    Source,
}

/// Inserts or updates the rows of the jsonb array `$3`. Returns `id` and `inserted` of each row that changed; a row that is
/// stored with the same values, or by its stamps in a newer version, is not touched. Rows that the service derives are always
/// replaced, whatever their `updated_at`. The caller must not pass a source id twice.
pub fn upsert(table: &Table, absent: AbsentFields, precedence: Precedence) -> String {
    let columns = columns(table);
    let names = joined(&columns, |own| own.column.clone());
    let sets = joined(&columns, |own| {
        format!("{} = {}", own.column, incoming(table, absent, &own.column))
    });
    let stored = joined(&columns, |own| format!("stored.{}", own.column));
    let incoming = joined(&columns, |own| incoming(table, absent, &own.column));
    let is_newer = match (table.origin, precedence) {
        (Origin::Derived, _) | (_, Precedence::Source) => "true",
        (_, Precedence::Stamps) => {
            "(excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)"
        }
    };
    format!(
        "INSERT INTO {target} AS stored (id, user_id, connection_id, source_id, {names})
SELECT pushed.id, $1, $2, pushed.source_id, {selected}
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, {typed})
ON CONFLICT (connection_id, source_id) DO UPDATE
SET {sets}, synced_at = now(), changed_xid = pg_current_xact_id(), {removed_at} = NULL
WHERE {is_newer}
    AND (stored.{removed_at} IS NOT NULL OR ({stored}) IS DISTINCT FROM ({incoming}))
RETURNING id, (xmax = 0) AS inserted",
        target = qualified(table),
        removed_at = table.removed_column(),
        selected = joined(&columns, |own| format!("pushed.{}", own.name)),
        typed = joined(&columns, |own| format!("{} {}", own.name, own.sql_type)),
    )
}

/// The new value of a column, as an SQL expression.
fn incoming(table: &Table, absent: AbsentFields, name: &str) -> String {
    let is_of_day =
        |rule: &&InferredDay| [rule.day, rule.source].iter().any(|of| quoted(of) == name);
    match (absent, table.inferred_day.filter(is_of_day)) {
        (AbsentFields::Clears, None) => format!("excluded.{name}"),
        (AbsentFields::Clears, Some(rule)) => format!(
            "CASE WHEN {stays} THEN stored.{name} ELSE excluded.{name} END",
            stays = day_stays(rule)
        ),
        (AbsentFields::Stays, _) => format!("coalesce(excluded.{name}, stored.{name})"),
    }
}

/// The SQL condition under which the stored day stays: the incoming day is inferred, and from no better source.
fn day_stays(rule: &InferredDay) -> String {
    let (day, source) = (quoted(rule.day), quoted(rule.source));
    let sources = rule.sources.iter().map(|source| format!("'{source}'"));
    let sources = sources.collect::<Vec<_>>().join(", ");
    let rank = |row: &str| format!("coalesce(array_position(ARRAY[{sources}], {row}.{source}), 0)");
    format!(
        "excluded.{source} IS NOT NULL AND stored.{day} IS NOT NULL AND {} <= {}",
        rank("stored"),
        rank("excluded")
    )
}

/// Sets `fields` in those stored rows that the jsonb array `$3` names by their `source_id`; the rest of them stays. Returns the `id`
/// of each row that changed. It is no upsert: the rows need not hold what the table requires of a whole one.
pub fn amend(table: &Table, fields: &[&Field]) -> String {
    let listed = |form: &dyn Fn(&str, &str) -> String| {
        let names = fields.iter();
        let names = names.map(|field| form(&quoted(field.told_column()), &quoted(field.name)));
        names.collect::<Vec<_>>().join(", ")
    };
    let typed = fields
        .iter()
        .map(|field| format!(", {} {}", quoted(field.name), sql_type(field.kind)));
    format!(
        "UPDATE {target} AS stored
SET {sets}, synced_at = now(), changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS told(source_id text{typed})
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = told.source_id
    AND stored.{removed_at} IS NULL AND ({stored}) IS DISTINCT FROM ({told})
RETURNING stored.id",
        target = qualified(table),
        removed_at = table.removed_column(),
        sets = listed(&|column, name| format!("{column} = told.{name}")),
        typed = typed.collect::<String>(),
        stored = listed(&|column, _| format!("stored.{column}")),
        told = listed(&|_, name| format!("told.{name}")),
    )
}

/// Makes the rows named in the jsonb array `$3` of `source_id` and `updated_at` tombstones, unless the stored row is newer.
/// Returns `id` and `source_id` of each.
pub fn tombstone(table: &Table) -> String {
    format!(
        "UPDATE {target} AS stored
SET {cleared}, updated_at = coalesce(gone.updated_at, now()), {removed_at} = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.{removed_at} IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id",
        target = qualified(table),
        removed_at = table.removed_column(),
        cleared = cleared(table),
    )
}

/// Makes the rows whose field `link` is one of the texts `$3` and whose source id is not one of `$4` tombstones. Returns `id`
/// and `source_id` of each. An id is compared as a UUID, so that its index is used.
pub fn tombstone_linked(table: &Table, link: &Field) -> String {
    let is_linked = match link.kind {
        Kind::Id => format!("{} = ANY($3::text[]::uuid[])", quoted(link.told_column())),
        _ => format!("{}::text = ANY($3::text[])", quoted(link.told_column())),
    };
    format!(
        "UPDATE {target} AS stored
SET {cleared}, updated_at = now(), {removed_at} = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.{removed_at} IS NULL
    AND stored.{is_linked} AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id",
        target = qualified(table),
        removed_at = table.removed_column(),
        cleared = cleared(table),
    )
}

/// Which rows may be referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// Those that their source has, hidden ones too.
    Living,
    /// Deleted ones too.
    Any,
}

/// Selects the rows that the texts `$3` refer to: by row id in any connection, or by source id in the connection `$2` first
/// and then in the connections `$4`. Returns `name`, the text, and `id`, the best match of a text first.
pub fn look_up(table: &Table, sought: Sought) -> String {
    let is_living = format!("found.{} IS NULL", table.removed_column());
    let (living, first) = match sought {
        Sought::Living => (format!(" AND {is_living}"), String::new()),
        Sought::Any => (String::new(), format!("({is_living}) DESC, ")),
    };
    format!(
        "SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN {target} AS found ON found.user_id = $1{living}
    AND (found.id = {id}
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, {first}(found.id = {id}) IS TRUE DESC, (found.connection_id = $2) DESC, found.id",
        target = qualified(table),
        id = format_args!("CASE WHEN names.name ~* '{UUID_FORM}' THEN names.name::uuid END"),
    )
}

/// Sets `field` in the rows of `child` that waited for one of the rows `$3` of `parent`, in the connections `$4` or in `$2`,
/// and deletes their entries in `pending_references`.
pub fn resolve(child: &Table, field: &Field, parent: &Table) -> String {
    format!(
        "WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING {parent_target} AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = '{parent_name}'
        AND pending.child_target = '{child_name}' AND pending.field = '{field_name}'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.{parent_removed_at} IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE {child_target} AS child
SET {column} = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.{child_removed_at} IS NULL",
        parent_removed_at = parent.removed_column(),
        child_removed_at = child.removed_column(),
        parent_target = qualified(parent),
        parent_name = parent.target(),
        child_target = qualified(child),
        child_name = child.target(),
        field_name = field.name,
        column = quoted(field.told_column()),
    )
}

/// The table to which pushed rows of `table` are written, qualified and quoted: in the schema `evidence` for a merged table.
pub fn qualified(table: &Table) -> String {
    let schema = if table.is_merged {
        EVIDENCE
    } else {
        table.sector.name()
    };
    format!("{}.{}", quoted(schema), quoted(table.name))
}

/// An identifier of the catalogue, quoted for SQL. The catalogue's names contain no quotation marks.
pub fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

fn columns(table: &Table) -> Vec<PushedColumn> {
    let own = table.fields.iter().map(|field| PushedColumn {
        column: quoted(field.told_column()),
        name: quoted(field.name),
        sql_type: sql_type(field.kind),
    });
    let common = COMMON.map(|(name, sql_type)| PushedColumn {
        column: name.to_owned(),
        name: name.to_owned(),
        sql_type,
    });
    own.chain(common).collect()
}

fn joined(columns: &[PushedColumn], form: impl Fn(&PushedColumn) -> String) -> String {
    columns.iter().map(form).collect::<Vec<_>>().join(", ")
}

fn cleared(table: &Table) -> String {
    let own = table
        .fields
        .iter()
        .map(|field| format!("{} = NULL", quoted(field.told_column())));
    own.chain(["raw = NULL".to_owned(), "extra = NULL".to_owned()])
        .collect::<Vec<_>>()
        .join(", ")
}

/// The SQL type of a kind; the precision of a [`Kind::Decimal`] is declared by its column.
pub const fn sql_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Integer => "integer",
        Kind::BigInteger => "bigint",
        Kind::Float => "double precision",
        Kind::Decimal { .. } => "numeric",
        Kind::Boolean => "boolean",
        Kind::Date => "date",
        Kind::Timestamp => "timestamptz",
        Kind::Id => "uuid",
        Kind::Json => "jsonb",
        Kind::TextList => "text[]",
        Kind::IntegerList => "integer[]",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    /// A cast of the column would have the table read whole, for each series of a calendar and each batch of mails.
    #[test]
    fn the_column_that_links_is_compared_in_its_own_type() {
        for (target, link, expected) in [
            (
                "calendar.events",
                "series_id",
                "stored.\"series_id\" = ANY($3::text[]::uuid[])",
            ),
            (
                "mail.attachments",
                "message_id",
                "stored.\"message_id\" = ANY($3::text[]::uuid[])",
            ),
        ] {
            let table = catalog::by_target(target).unwrap();
            let statement = tombstone_linked(table, table.field(link).unwrap());
            assert!(statement.contains(expected), "{statement}");
        }
    }
}
