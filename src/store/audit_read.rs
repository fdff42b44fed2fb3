//! The record as the Console reads it: one row, or a page between two exact places. Reading leaves no row (r041).
//!
//! Only the operator's rows and those without a user are seen. There is one index to use (r020): a page without a
//! filter, or bounded by time, is a walk along it; any other filter judges what the walk meets, within a budget.

mod position;
mod row;
mod scan;
mod slice;
mod snapshot;

use chrono::{DateTime, Utc};
use sextant_actors::domain::OPERATOR;

use crate::db::{ServicePool, StoreError};

pub use position::Position;
pub use row::AuditRow;
pub use scan::{Budget, End, Found, walk};
pub use snapshot::read_whole;

const READ: &str = include_str!("../../sql/statements/audit_log/read.sql");

/// What a row must be to be on the page; what is `None` does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub agent: Option<String>,
    /// Only rows whose agent is null.
    pub without_agent: bool,
    pub tool: Option<String>,
    pub sector: Option<String>,
    pub decision: Option<&'static str>,
    pub outcome: Option<&'static str>,
    /// Found in any of the row's texts, in lower case.
    pub text: Option<String>,
    /// Not before.
    pub from: Option<DateTime<Utc>>,
    /// Before.
    pub to: Option<DateTime<Utc>>,
}

impl Filter {
    /// Whether every row within the bounds of time is wanted.
    pub fn is_bounded_by_time_only(&self) -> bool {
        *self
            == Self {
                from: self.from,
                to: self.to,
                ..Self::default()
            }
    }
}

/// Which way a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Older,
    Newer,
}

/// The row `id`.
///
/// # Errors
/// When the database cannot be read.
pub async fn read(pool: &ServicePool, id: i64) -> Result<Option<AuditRow>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(READ).await?;
    let row = client.query_opt(&statement, &[&OPERATOR, &id]).await?;
    row.as_ref().map(AuditRow::of).transpose()
}
