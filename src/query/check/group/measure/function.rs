//! The functions of `aggregate`.

use crate::catalog::Kind;

/// The function, and the name of its column, when `aggregate` is absent.
pub(super) const COUNT: &str = "count";

/// An aggregate function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Count,
    CountDistinct,
    Sum,
    Average,
    Least,
    Greatest,
    Median,
}

impl Function {
    /// All of them, in the order in which they are listed to an agent.
    pub(super) const ALL: [Self; 7] = [
        Self::Count,
        Self::CountDistinct,
        Self::Sum,
        Self::Average,
        Self::Least,
        Self::Greatest,
        Self::Median,
    ];

    /// Its word in `aggregate`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => COUNT,
            Self::CountDistinct => "count_distinct",
            Self::Sum => "sum",
            Self::Average => "avg",
            Self::Least => "min",
            Self::Greatest => "max",
            Self::Median => "median",
        }
    }

    /// Whether it can be computed from values of this kind.
    pub(super) fn takes(self, kind: Kind) -> bool {
        let is_number = matches!(
            kind,
            Kind::Integer | Kind::BigInteger | Kind::Float | Kind::Decimal { .. }
        );
        match self {
            Self::Count => true,
            Self::CountDistinct => !matches!(kind, Kind::Json),
            Self::Sum | Self::Average | Self::Median => is_number,
            Self::Least | Self::Greatest => {
                is_number || matches!(kind, Kind::Text | Kind::Date | Kind::Timestamp)
            }
        }
    }
}
