//! The parts of a statement that ranks the hits of a search: the newest hits, and how well each matches.

use super::builder::Builder;
use super::{conditions, keyset};
use crate::query::RANKED_HITS_MAX;
use crate::query::check::{RowQuery, RowScope};
use crate::query::param::Param;

/// The normalisation of `ts_rank`: 1 divides by 1 + the logarithm of the text's length, since long texts hold more words.
const BY_LENGTH: u8 = 1;

/// Writes `FROM` with the newest hits as `t`.
pub(super) fn write_from(builder: &mut Builder, checked: &RowQuery, with_label: bool) {
    let table = checked.scope.table;
    builder.push("\nFROM (SELECT t.*");
    let filter_names_label = conditions::uses_label(&checked.scope.filter);
    builder.from(table, filter_names_label);
    conditions::write_scope(builder, &checked.scope);
    keyset::write_order(builder, &checked.order);
    // Not bound, as the answer's own limit is not, and for the same reason.
    builder.push(&format!("\nLIMIT {RANKED_HITS_MAX}) AS t"));
    if with_label {
        builder.join_connections();
    }
}

/// Writes `ORDER BY`: the best first, equal ranks in `checked.order`.
pub(super) fn write_order(builder: &mut Builder, checked: &RowQuery) {
    builder.push("\nORDER BY ");
    write_rank(builder, &checked.scope);
    builder.push(" DESC, ");
    keyset::write_keys(builder, &checked.order);
}

fn write_rank(builder: &mut Builder, scope: &RowScope) {
    let Some(search) = &scope.search else {
        builder.push("0");
        return;
    };
    builder
        .push("ts_rank(t.tsv, websearch_to_tsquery('simple', ")
        .bind_once(Param::Text(search.clone()))
        .push(&format!("), {BY_LENGTH})"));
}
