//! The walk through the record: slice by slice along its one index, until a page is full, the end is met or the budget is spent.

use std::time::{Duration, Instant};

use deadpool_postgres::Object;
use sextant_actors::domain::OPERATOR;
use tokio_postgres::Row;

use super::{AuditRow, Direction, Filter, Position};
use crate::db::{ServicePool, StoreError};

const SLICE_BEFORE: &str = include_str!("../../../sql/statements/audit_log/slice_before.sql");
const SLICE_AFTER: &str = include_str!("../../../sql/statements/audit_log/slice_after.sql");

pub(super) const STATEMENTS: [&str; 2] = [SLICE_BEFORE, SLICE_AFTER];

/// How far one page may look for rows that match.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Rows judged in one statement.
    pub slice_rows: usize,
    /// No further slice is begun after this long.
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            slice_rows: 10_000,
            time: Duration::from_secs(1),
        }
    }
}

/// What a walk brought home.
#[derive(Debug)]
pub struct Found {
    /// The rows that match, in the order they were met; at most as many as were asked for.
    pub rows: Vec<AuditRow>,
    /// Why it ended.
    pub end: End,
}

/// Why a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There is nothing further that way.
    Exhausted,
    /// As many rows as were asked for were found.
    Full,
    /// The budget was spent; everything up to here has been judged.
    Spent(Position),
}

/// Walks from `from` in `direction` until `rows_max` rows match.
///
/// # Errors
/// When the database cannot be read.
pub async fn walk(
    pool: &ServicePool,
    filter: &Filter,
    direction: Direction,
    from: Position,
    rows_max: usize,
    budget: Budget,
) -> Result<Found, StoreError> {
    let client = pool.get().await?;
    let slice_rows = if filter.is_bounded_by_time_only() {
        rows_max
    } else {
        budget.slice_rows.max(rows_max)
    };
    let begun = Instant::now();
    let mut at = from;
    let mut rows = Vec::new();
    loop {
        let slice = Slice::read(&client, filter, direction, at, slice_rows).await?;
        rows.extend(slice.matching);
        if rows.len() >= rows_max {
            rows.truncate(rows_max);
            return Ok(Found {
                rows,
                end: End::Full,
            });
        }
        at = match slice.last {
            Some(last) if slice.scanned == slice_rows => last,
            _ => {
                return Ok(Found {
                    rows,
                    end: End::Exhausted,
                });
            }
        };
        if begun.elapsed() >= budget.time {
            return Ok(Found {
                rows,
                end: End::Spent(at),
            });
        }
    }
}

/// One statement's worth of the record.
struct Slice {
    matching: Vec<AuditRow>,
    scanned: usize,
    last: Option<Position>,
}

impl Slice {
    async fn read(
        client: &Object,
        filter: &Filter,
        direction: Direction,
        from: Position,
        rows_max: usize,
    ) -> Result<Self, StoreError> {
        let statement = client.prepare_cached(direction.statement()).await?;
        let rows_max = i64::try_from(rows_max).unwrap_or(i64::MAX);
        let rows = client
            .query(
                &statement,
                &[
                    &OPERATOR,
                    &from.created_at,
                    &from.id,
                    &filter.from.unwrap_or(Position::oldest().created_at),
                    &filter.to.unwrap_or(Position::newest().created_at),
                    &rows_max,
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
        Self::of(&rows)
    }

    fn of(rows: &[Row]) -> Result<Self, StoreError> {
        let mut slice = Self {
            matching: Vec::with_capacity(rows.len()),
            scanned: 0,
            last: None,
        };
        for row in rows {
            let read = AuditRow::of(row)?;
            let scanned: i64 = row.try_get("scanned")?;
            slice.scanned = usize::try_from(scanned).unwrap_or(0);
            slice.last = Some(read.position());
            if row.try_get("matches")? {
                slice.matching.push(read);
            }
        }
        Ok(slice)
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
