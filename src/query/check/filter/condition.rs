//! Conditions as values: resolved, typed, and free of anything an agent named.

use crate::catalog::Kind;
use crate::query::column::Column;
use crate::query::param::Param;

/// A condition on a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// All hold; of none: true.
    All(Vec<Filter>),
    /// One holds; of none: false.
    Any(Vec<Filter>),
    /// It does not hold, or is not known.
    Not(Box<Filter>),
    /// A test of one column.
    Is(Column, Test),
}

impl Filter {
    /// Whether a test wants the column `name` to be, or to hold, a value.
    pub fn asks_value_of(&self, name: &str) -> bool {
        match self {
            Filter::All(parts) | Filter::Any(parts) => {
                parts.iter().any(|part| part.asks_value_of(name))
            }
            Filter::Not(_) => false,
            Filter::Is(column, test) => {
                let is_value = matches!(test, Test::Equal(_) | Test::OneOf(_) | Test::Like(_));
                column.name == name && is_value
            }
        }
    }

    /// Whether a test wants a text that may be anything to be just so.
    pub fn is_exact_about_text(&self) -> bool {
        match self {
            Filter::All(parts) | Filter::Any(parts) => parts.iter().any(Self::is_exact_about_text),
            Filter::Not(_) => false,
            Filter::Is(column, test) => {
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
    /// A pattern in which only our own `%` are wild.
    Like(String),
    Null,
}

/// The opposite.
pub(super) fn not(filter: Filter) -> Filter {
    Filter::Not(Box::new(filter))
}

/// From the start of a day to before its end.
pub(super) fn whole_day(column: &Column, start: Param, end: Param) -> Filter {
    Filter::All(vec![
        Filter::Is(*column, Test::GreaterOrEqual(start)),
        Filter::Is(*column, Test::Less(end)),
    ])
}

/// A single filter stands for itself.
pub(super) fn one_or(mut filters: Vec<Filter>, many: fn(Vec<Filter>) -> Filter) -> Filter {
    match filters.pop() {
        Some(only) if filters.is_empty() => only,
        last => {
            filters.extend(last);
            many(filters)
        }
    }
}

/// Takes `%`, `_` and the escape itself literally.
pub(super) fn escape(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let escape = matches!(letter, '%' | '_' | '\\').then_some('\\');
            escape.into_iter().chain([letter])
        })
        .collect()
}
