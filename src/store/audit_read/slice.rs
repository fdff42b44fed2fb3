//! The rows that one statement reads of the audit log, and the transaction of such statements.

use std::time::Duration;

use deadpool_postgres::{Object, Transaction};
use sextant_actors::domain::OPERATOR;
use tokio_postgres::{IsolationLevel, Row};

use super::{AuditFilter, AuditRow, Direction, Position};
use crate::db::StoreError;

const SETTLE: &str = include_str!("../../../sql/statements/audit_log/settle.sql");
const SLICE_BEFORE: &str = include_str!("../../../sql/statements/audit_log/slice_before.sql");
const SLICE_AFTER: &str = include_str!("../../../sql/statements/audit_log/slice_after.sql");

/// The time limit of one slice, so that a page ends even when the disk hangs.
pub(super) const SLICE_WAIT_MAX: Duration = Duration::from_secs(2);

/// The matching rows of one slice, and where the next one begins.
pub(super) struct Slice {
    pub matching: Vec<AuditRow>,
    /// Where the next slice begins; `None` when there are no further rows.
    pub further: Option<Position>,
}

/// Begins a read-only transaction whose settings make the planner use the index.
///
/// # Errors
/// When the database cannot be read.
pub(super) async fn begin(
    connection: &mut Object,
    isolation: IsolationLevel,
    slice_wait_max: Duration,
) -> Result<Transaction<'_>, StoreError> {
    let transaction = connection
        .build_transaction()
        .read_only(true)
        .isolation_level(isolation)
        .start()
        .await?;
    let wait = slice_wait_max.as_millis().to_string();
    let settle = transaction.prepare_cached(SETTLE).await?;
    transaction.query_one(&settle, &[&wait]).await?;
    Ok(transaction)
}

impl Slice {
    /// Reads the next `rows_max` rows after `from`.
    ///
    /// # Errors
    /// When the database cannot be read, or not in time.
    pub(super) async fn read(
        transaction: &Transaction<'_>,
        filter: &AuditFilter,
        direction: Direction,
        from: Position,
        rows_max: usize,
    ) -> Result<Self, StoreError> {
        let statement = transaction.prepare_cached(direction.statement()).await?;
        let limit = i64::try_from(rows_max).unwrap_or(i64::MAX);
        let rows = transaction
            .query(
                &statement,
                &[
                    &OPERATOR,
                    &from.created_at,
                    &from.id,
                    &filter.from.unwrap_or(Position::oldest().created_at),
                    &filter.to.unwrap_or(Position::newest().created_at),
                    &limit,
                    &filter.agent,
                    &filter.without_agent,
                    &filter.tool,
                    &filter.sector,
                    &filter.decision,
                    &filter.outcome,
                    &filter.text,
                ],
            )
            .await?;
        Self::of(&rows, rows_max)
    }

    fn of(rows: &[Row], rows_max: usize) -> Result<Self, StoreError> {
        let mut matching = Vec::with_capacity(rows.len());
        let mut further = None;
        for row in rows {
            let read = AuditRow::of(row)?;
            let scanned: i64 = row.try_get("scanned")?;
            let is_full = usize::try_from(scanned).is_ok_and(|scanned| scanned >= rows_max);
            further = is_full.then(|| read.position());
            if row.try_get("matches")? {
                matching.push(read);
            }
        }
        Ok(Self { matching, further })
    }
}

impl Direction {
    const fn statement(self) -> &'static str {
        match self {
            Direction::Older => SLICE_BEFORE,
            Direction::Newer => SLICE_AFTER,
        }
    }
}
