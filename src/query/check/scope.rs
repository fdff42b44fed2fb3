//! The rows that a query is about.

use uuid::Uuid;

use super::{Condition, Test};
use crate::catalog::Table;
use crate::query::column::Column;
use crate::query::param::Param;

/// The rows of one table that match.
#[derive(Clone, Debug)]
pub struct RowScope {
    /// Only this user's rows are read.
    pub user: Uuid,
    pub table: &'static Table,
    pub filter: Condition,
    pub search: Option<String>,
}

impl RowScope {
    /// Whether all matching rows have the same value in `column`.
    pub fn fixes(&self, column: &Column) -> bool {
        is_fixed(&self.filter, column)
    }
}

fn is_fixed(filter: &Condition, column: &Column) -> bool {
    match filter {
        Condition::All(filters) => filters.iter().any(|filter| is_fixed(filter, column)),
        Condition::Is(tested, Test::Equal(_) | Test::Null) => tested == column,
        Condition::Is(tested, Test::OneOf(Param::Texts(texts))) => {
            tested == column && texts.len() == 1
        }
        _ => false,
    }
}
