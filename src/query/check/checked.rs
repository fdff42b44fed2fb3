//! A question in which nothing is a foreign name any more.

use super::{GroupQuery, OrderKey, RowScope};
use crate::query::budget::TokenBudget;
use crate::query::column::Column;
use crate::query::cursor::PagePosition;
use crate::query::request::RowFormat;
use crate::query::watermark::Watermark;

/// A question for rows that can be compiled: nothing in it is still a foreign name.
#[derive(Clone, Debug)]
pub struct RowQuery {
    pub scope: RowScope,
    pub select: Vec<Column>,
    /// The columns were asked for by name.
    pub is_selected: bool,
    /// Ends with the id, so that no two rows are equal.
    pub order: Vec<OrderKey>,
    /// The best of the newest hits of the search come first; among equals, `order` holds. There is no cursor.
    pub is_ranked: bool,
    /// Where the page before ended.
    pub after: Option<PagePosition>,
    /// Only what changed since then is asked for, and what is gone.
    pub since: Option<Watermark>,
    pub limit: usize,
    pub count: bool,
    pub budget: TokenBudget,
    pub format: RowFormat,
    /// Stands in the cursor, so that one of another query is refused.
    pub digest: String,
    /// The same of the change cursor; a table without tombstones has none.
    pub change_digest: Option<String>,
    pub notes: Vec<String>,
}

/// What a request asks for.
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

    /// How large its answer may be.
    pub fn budget(&self) -> TokenBudget {
        match self {
            CheckedQuery::Rows(checked) => checked.budget,
            CheckedQuery::Groups(grouped) => grouped.budget,
        }
    }
}
