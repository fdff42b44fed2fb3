//! Reads the audit log for the Console: one row, or a page between two positions. Reading writes no audit row (r041).
//!
//! Only the operator's rows and those without a user are visible. The table has one index (r020): a page without a filter, or
//! with bounds of time only, is read along it; any other filter is applied to the rows that are read, within a budget.

mod position;
mod row;
mod scan;
mod slice;
mod snapshot;

use chrono::{DateTime, Utc};
use sextant_actors::domain::OPERATOR;

use crate::db::{Cells, ServicePool, StoreError};

pub use position::Position;
pub use row::AuditRow;
pub use scan::{ScanBudget, ScanEnd, ScanResult, scan};
pub use snapshot::read_whole;

const READ: &str = include_str!("../../sql/statements/audit_log/read.sql");
const NEWEST_ID: &str = include_str!("../../sql/statements/audit_log/newest_id.sql");

/// The conditions for rows of a page; `None` is no condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    pub agent: Option<String>,
    /// Only rows without an agent.
    pub without_agent: bool,
    pub tool: Option<String>,
    pub sector: Option<String>,
    pub decision: Option<&'static str>,
    pub outcome: Option<&'static str>,
    /// In lower case; it must occur in one of the row's texts.
    pub text: Option<String>,
    /// The row must not be older.
    pub from: Option<DateTime<Utc>>,
    /// The row must be older.
    pub to: Option<DateTime<Utc>>,
}

impl AuditFilter {
    /// Whether every row within the bounds of time matches.
    pub(crate) fn is_bounded_by_time_only(&self) -> bool {
        *self
            == Self {
                from: self.from,
                to: self.to,
                ..Self::default()
            }
    }
}

/// The direction in which a page is read.
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
    let Some(row) = row else { return Ok(None) };
    let mut cells = Cells::of("audit_log/read", &row);
    let read = AuditRow::take(&mut cells)?;
    cells.end()?;
    Ok(Some(read))
}

/// The id of the newest row, of whomever.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn newest_id(pool: &ServicePool) -> Result<Option<i64>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(NEWEST_ID).await?;
    let row = client.query_one(&statement, &[]).await?;
    let mut cells = Cells::of("audit_log/newest_id", &row);
    let newest = cells.take()?;
    cells.end()?;
    Ok(newest)
}
