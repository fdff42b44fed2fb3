//! Positions in the audit log.

use chrono::{DateTime, TimeDelta, Utc};

/// A position in the order of audit rows: that of a row. The id makes it exact among rows of one flush, which have the same
/// `created_at`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub created_at: DateTime<Utc>,
    pub id: i64,
}

/// From 1970 to the last instant that PostgreSQL and RFC 3339 can both write, about.
const YEARS_DAYS_MAX: i64 = 365 * 7000;

impl Position {
    /// Newer than every row.
    pub fn newest() -> Self {
        Self {
            created_at: DateTime::UNIX_EPOCH + TimeDelta::days(YEARS_DAYS_MAX),
            id: i64::MAX,
        }
    }

    /// Older than every row.
    pub const fn oldest() -> Self {
        Self {
            created_at: DateTime::UNIX_EPOCH,
            id: i64::MIN,
        }
    }

    /// The position directly before this row: reading newer rows from there begins with this row.
    #[must_use]
    pub const fn just_older(self) -> Self {
        Self {
            id: self.id.saturating_sub(1),
            ..self
        }
    }

    /// The position directly after this row: reading older rows from there begins with this row.
    #[must_use]
    pub const fn just_newer(self) -> Self {
        Self {
            id: self.id.saturating_add(1),
            ..self
        }
    }
}
