//! A question in which nothing is a foreign name any more.

use super::{Grouped, OrderKey, Scope};
use crate::query::budget::Budget;
use crate::query::column::Column;
use crate::query::cursor::Place;
use crate::query::request::Format;
use crate::query::watermark::Moment;

/// A question for rows that can be compiled: nothing in it is still a foreign name.
#[derive(Clone, Debug)]
pub struct Checked {
    pub scope: Scope,
    pub select: Vec<Column>,
    /// The columns were asked for by name.
    pub is_selected: bool,
    /// Ends with the id, so that no two rows are equal.
    pub order: Vec<OrderKey>,
    /// The best of the newest hits of the search come first; among equals, `order` holds. There is no cursor.
    pub is_ranked: bool,
    /// Where the page before ended.
    pub after: Option<Place>,
    /// Only what changed since then is asked for, and what is gone.
    pub since: Option<Moment>,
    pub limit: usize,
    pub count: bool,
    pub budget: Budget,
    pub format: Format,
    /// Stands in the cursor, so that one of another query is refused.
    pub digest: String,
    /// The same of the change cursor; a table without tombstones has none.
    pub change_digest: Option<String>,
    pub notes: Vec<String>,
}

/// What a request asks for.
#[derive(Clone, Debug)]
pub enum Question {
    Rows(Checked),
    Groups(Grouped),
}

impl Question {
    /// The rows it is about.
    pub fn scope(&self) -> &Scope {
        match self {
            Question::Rows(checked) => &checked.scope,
            Question::Groups(grouped) => &grouped.scope,
        }
    }

    /// How large its answer may be.
    pub fn budget(&self) -> Budget {
        match self {
            Question::Rows(checked) => checked.budget,
            Question::Groups(grouped) => grouped.budget,
        }
    }
}
