//! The statements that say which rows are served where several connections have the same, made from the catalogue alone. `$1` is the
//! user in all of them. A row is written only where that changes, so that change cursors tell of nothing else.

use crate::catalog::{SplitColumns, Table};

use super::write::{qualified, quoted};

/// Selects the rows of the accounts that rows of the transaction bear on: those that have changed, those that are hidden by them, and
/// those by which they are hidden.
pub fn touched(table: &Table, account: SplitColumns) -> String {
    format!(
        "WITH changed AS (
    SELECT id, {own} AS account, hidden_by FROM {target} WHERE user_id = $1 AND changed_xid = pg_current_xact_id()
)
SELECT account FROM changed WHERE account IS NOT NULL
UNION
SELECT hidden.{own} FROM changed JOIN {target} AS hidden ON hidden.hidden_by = changed.id WHERE hidden.{own} IS NOT NULL
UNION
SELECT serving.{own} FROM changed JOIN {target} AS serving ON serving.id = changed.hidden_by WHERE serving.{own} IS NOT NULL",
        own = quoted(account.told),
        target = qualified(table),
    )
}

/// Has the rows `$2` hidden by the rows `$3` beside them; null is by none.
pub fn hide(table: &Table) -> String {
    format!(
        "UPDATE {target} AS stored
SET {hidden}, changed_xid = pg_current_xact_id()
FROM unnest($2::uuid[], $3::uuid[]) AS decided(id, hidden_by)
WHERE stored.user_id = $1 AND stored.id = decided.id",
        target = qualified(table),
        hidden = hidden_by("decided.hidden_by"),
    )
}

/// The same, with the account `$4` beside them in the place of their own; null is none.
pub fn merge(table: &Table, account: SplitColumns) -> String {
    format!(
        "UPDATE {target} AS stored
SET {hidden}, {merged} = decided.merged, changed_xid = pg_current_xact_id()
FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS decided(id, hidden_by, merged)
WHERE stored.user_id = $1 AND stored.id = decided.id",
        target = qualified(table),
        hidden = hidden_by("decided.hidden_by"),
        merged = quoted(account.merged),
    )
}

/// Serves the rows of the accounts `$2` as their sources tell them.
pub fn release(table: &Table, account: SplitColumns) -> String {
    format!(
        "{freed}
WHERE user_id = $1 AND {own} = ANY($2::uuid[]) AND (account_id = ANY($2::uuid[]) OR {merged} IS NOT NULL)
    AND (hidden_by IS NOT NULL OR {merged} IS NOT NULL)",
        freed = freed(table, Some(account)),
        own = quoted(account.told),
        merged = quoted(account.merged),
    )
}

/// The same of rows that the transaction has changed, and that have become rows of none of the accounts `$2`.
pub fn release_strays(table: &Table, account: SplitColumns) -> String {
    format!(
        "{freed}
WHERE user_id = $1 AND changed_xid = pg_current_xact_id() AND (hidden_by IS NOT NULL OR {merged} IS NOT NULL)
    AND ({removed_at} IS NOT NULL OR {own} IS NULL OR {own} <> ALL($2::uuid[]))",
        freed = freed(table, Some(account)),
        own = quoted(account.told),
        merged = quoted(account.merged),
        removed_at = table.removed_column(),
    )
}

/// The same of rows in whose place nothing is served any more, since that was erased.
pub fn release_erased(table: &Table) -> String {
    let account = table.fields.iter().find_map(|field| field.split);
    let is_erased = |column: &str, target: &str| {
        format!(
            "({column} IS NOT NULL AND NOT EXISTS (SELECT FROM {target} AS serving WHERE serving.id = stored.{column}))"
        )
    };
    let merged = account.map(|account| is_erased(&quoted(account.merged), "finance.accounts"));
    let erased: Vec<String> = [is_erased("hidden_by", &qualified(table))]
        .into_iter()
        .chain(merged)
        .collect();
    format!(
        "{freed}
WHERE user_id = $1 AND ({erased})",
        freed = freed(table, account),
        erased = erased.join(" OR "),
    )
}

fn freed(table: &Table, account: Option<SplitColumns>) -> String {
    let merged = account.map(|account| format!(", {} = NULL", quoted(account.merged)));
    format!(
        "UPDATE {target} AS stored
SET hidden_by = NULL, hidden_at = NULL{merged}, changed_xid = pg_current_xact_id()",
        target = qualified(table),
        // Accounts themselves are of no account.
        merged = merged.unwrap_or_default(),
    )
}

/// A row that stays hidden keeps the time since when.
fn hidden_by(row: &str) -> String {
    format!(
        "hidden_by = {row}, hidden_at = CASE WHEN {row} IS NOT NULL THEN coalesce(stored.hidden_at, now()) END"
    )
}
