//! The parts of a statement that reads changes: rows that changed since a watermark, deleted ones included.

use super::builder::Builder;
use super::conditions;
use crate::query::check::RowScope;
use crate::query::watermark::Watermark;

/// Whether a row is not deleted and still matches; otherwise the answer lists it under `deleted`.
pub(super) fn write_still_matches(builder: &mut Builder, scope: &RowScope) {
    builder.push("(t.deleted_at IS NULL");
    conditions::write_scope(builder, scope);
    builder.push(") IS TRUE");
}

/// The rows that changed since the watermark.
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
