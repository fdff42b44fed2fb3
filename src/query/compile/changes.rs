//! The parts of a statement that tell changes: rows that changed since a moment, tombstones among them.

use super::builder::Builder;
use super::conditions;
use crate::query::check::RowScope;
use crate::query::watermark::Watermark;

/// Whether a row is there and still matches; else it is told as gone.
pub(super) fn write_still_matches(builder: &mut Builder, scope: &RowScope) {
    builder.push("(t.deleted_at IS NULL");
    conditions::write_scope(builder, scope);
    builder.push(") IS TRUE");
}

/// The rows that changed since.
pub(super) fn write_from<'a>(
    builder: &'a mut Builder,
    scope: &RowScope,
    since: &Watermark,
    with_label: bool,
) -> &'a mut Builder {
    builder
        .rows_and_tombstones(scope.table, with_label)
        .push(" AND t.changed_xid >= ")
        .bind(since.oldest())
        .push("::text::xid8")
}
