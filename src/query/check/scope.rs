//! Which rows a question is about, whatever is asked of them.

use uuid::Uuid;

use super::{Condition, Test};
use crate::catalog::Table;
use crate::query::column::Column;
use crate::query::param::Param;

/// The rows of one table that match.
#[derive(Clone, Debug)]
pub struct RowScope {
    /// Every table is read for this user only.
    pub user: Uuid,
    pub table: &'static Table,
    pub filter: Condition,
    pub search: Option<String>,
}

impl RowScope {
    /// Whether all matching rows hold one same value in `column`.
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
