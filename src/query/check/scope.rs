//! Which rows a question is about, whatever is asked of them.

use uuid::Uuid;

use super::{Filter, Test};
use crate::catalog::Table;
use crate::query::column::Column;
use crate::query::param::Param;

/// The rows of one table that match.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Every table is read for this user only.
    pub user: Uuid,
    pub table: &'static Table,
    pub filter: Filter,
    pub search: Option<String>,
}

impl Scope {
    /// Whether all matching rows hold one same value in `column`.
    pub fn fixes(&self, column: &Column) -> bool {
        is_fixed(&self.filter, column)
    }
}

fn is_fixed(filter: &Filter, column: &Column) -> bool {
    match filter {
        Filter::All(filters) => filters.iter().any(|filter| is_fixed(filter, column)),
        Filter::Is(tested, Test::Equal(_) | Test::Null) => tested == column,
        Filter::Is(tested, Test::OneOf(Param::Texts(texts))) => {
            tested == column && texts.len() == 1
        }
        _ => false,
    }
}
