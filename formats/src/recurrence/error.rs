//! Why a series cannot be expanded.
//!
//! What it knows: names of iCalendar properties and of rule parts.
//! What it must not know: the values, which are private.

use std::fmt;

/// A series that cannot be read. The message names the property or the part, never its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpansionError {
    /// A content line whose property says nothing about recurrence.
    UnknownLine,
    /// A rule with a part outside RFC 5545, such as `RSCALE`.
    UnknownPart(String),
    /// A rule with a part whose value is not allowed there.
    InvalidPart(&'static str),
    /// A rule without `FREQ`.
    NoFrequency,
    /// A date, a period or a duration that cannot be read, in the property named.
    InvalidDate(&'static str),
    /// An exception that does not say which instance it replaces.
    InvalidRecurrenceId,
}

impl fmt::Display for ExpansionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLine => f.write_str("a line of the series is not about recurrence"),
            Self::UnknownPart(name) => write!(f, "unknown part {name} in a recurrence rule"),
            Self::InvalidPart(name) => write!(f, "invalid {name} in a recurrence rule"),
            Self::NoFrequency => f.write_str("a recurrence rule without FREQ"),
            Self::InvalidDate(property) => write!(f, "invalid value in {property}"),
            Self::InvalidRecurrenceId => f.write_str("invalid recurrence id of an exception"),
        }
    }
}

impl std::error::Error for ExpansionError {}
