//! Checked conditions: columns are resolved and values are typed, so that no name of an agent's is left in them.

use crate::catalog::Kind;
use crate::query::column::Column;
use crate::query::param::Param;

/// A condition on a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Every one holds; true when empty.
    All(Vec<Condition>),
    /// At least one holds; false when empty.
    Any(Vec<Condition>),
    /// It is false or null.
    Not(Box<Condition>),
    /// A test of one column.
    Is(Column, Test),
}

impl Condition {
    /// Whether a test, not negated, compares the column `name` with values or a pattern.
    pub fn wants_value_of(&self, name: &str) -> bool {
        match self {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().any(|part| part.wants_value_of(name))
            }
            Condition::Not(_) => false,
            Condition::Is(column, test) => {
                let is_value = matches!(test, Test::Equal(_) | Test::OneOf(_) | Test::Like(_));
                column.name == name && is_value
            }
        }
    }

    /// Whether a test, not negated, compares free text for equality.
    pub fn compares_text_exactly(&self) -> bool {
        match self {
            Condition::All(parts) | Condition::Any(parts) => {
                parts.iter().any(Self::compares_text_exactly)
            }
            Condition::Not(_) => false,
            Condition::Is(column, test) => {
                let is_free = column.kind == Kind::Text && column.values.is_empty();
                is_free && matches!(test, Test::Equal(_) | Test::OneOf(_))
            }
        }
    }
}

/// A test of one column. On a list or on JSON it holds if one element, or one string inside, passes.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    Equal(Param),
    OneOf(Param),
    Less(Param),
    LessOrEqual(Param),
    Greater(Param),
    GreaterOrEqual(Param),
    /// A pattern of `ILIKE`, in which what the agent sent is escaped.
    Like(String),
    Null,
}

/// The negation of `filter`.
pub(super) fn not(filter: Condition) -> Condition {
    Condition::Not(Box::new(filter))
}

/// From the start of a day to before its end.
pub(super) fn whole_day(column: &Column, start: Param, end: Param) -> Condition {
    Condition::All(vec![
        Condition::Is(*column, Test::GreaterOrEqual(start)),
        Condition::Is(*column, Test::Less(end)),
    ])
}

/// `many` of the conditions, or the only one itself.
pub(super) fn one_or(
    mut filters: Vec<Condition>,
    many: fn(Vec<Condition>) -> Condition,
) -> Condition {
    match filters.pop() {
        Some(only) if filters.is_empty() => only,
        last => {
            filters.extend(last);
            many(filters)
        }
    }
}

/// `text` as a pattern that matches only itself: `%`, `_` and `\` are escaped.
pub(super) fn escape(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let escape = matches!(letter, '%' | '_' | '\\').then_some('\\');
            escape.into_iter().chain([letter])
        })
        .collect()
}
