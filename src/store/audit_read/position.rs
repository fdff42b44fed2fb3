use chrono::{DateTime, TimeDelta, Utc};

/// A place between two rows of the record, named by a row: exact also among rows of one flush, which share their stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub created_at: DateTime<Utc>,
    pub id: i64,
}

/// The furthest a stamp goes either way: the years that PostgreSQL and RFC 3339 both write.
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

    /// The place from which going forward meets this very row again.
    #[must_use]
    pub const fn just_older(self) -> Self {
        Self {
            id: self.id.saturating_sub(1),
            ..self
        }
    }

    /// The place from which going back meets this very row again.
    #[must_use]
    pub const fn just_newer(self) -> Self {
        Self {
            id: self.id.saturating_add(1),
            ..self
        }
    }
}
