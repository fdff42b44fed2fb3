//! Queries that passed every check: all names are the catalogue's, all values are typed.

use super::{GroupQuery, OrderKey, RowScope};
use crate::query::budget::TokenBudget;
use crate::query::column::Column;
use crate::query::cursor::PagePosition;
use crate::query::request::RowFormat;
use crate::query::watermark::Watermark;

/// A query for rows that can be compiled.
#[derive(Clone, Debug)]
pub struct RowQuery {
    pub scope: RowScope,
    pub select: Vec<Column>,
    /// The columns were named in `select`.
    pub is_selected: bool,
    /// Ends with the id, so that no two rows are equal.
    pub order: Vec<OrderKey>,
    /// The newest hits of the search are ordered by rank, equal ranks by `order`. There is no cursor.
    pub is_ranked: bool,
    /// Where the previous page ended.
    pub after: Option<PagePosition>,
    /// Only rows that changed since then, or were deleted, are asked for.
    pub since: Option<Watermark>,
    pub limit: usize,
    pub count: bool,
    pub budget: TokenBudget,
    pub format: RowFormat,
    /// The digest that a cursor contains, so that a cursor of another query is refused.
    pub digest: String,
    /// The digest that a change cursor contains; a table that does not keep deleted rows has no change cursor.
    pub change_digest: Option<String>,
    /// What the answer says beside its rows.
    pub notes: Vec<String>,
}

/// A checked query for rows or for groups.
#[derive(Clone, Debug)]
pub enum CheckedQuery {
    Rows(RowQuery),
    Groups(GroupQuery),
}

impl CheckedQuery {
    /// The rows it is about.
    pub fn scope(&self) -> &RowScope {
        match self {
            CheckedQuery::Rows(checked) => &checked.scope,
            CheckedQuery::Groups(grouped) => &grouped.scope,
        }
    }

    /// The most tokens of its answer.
    pub fn budget(&self) -> TokenBudget {
        match self {
            CheckedQuery::Rows(checked) => checked.budget,
            CheckedQuery::Groups(grouped) => grouped.budget,
        }
    }
}
