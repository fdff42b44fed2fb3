//! Counts audit rows anew that were counted before the counts had a user. It counts a limited number of rows in one transaction,
//! so that a flush waits only that long, a kill loses nothing, and sums stay right in the meantime.

use crate::db::{self, ServicePool, StoreError, tx};

const IS_LEFT: &str = include_str!("../../../sql/statements/audit_hourly/is_to_recount.sql");
const LOCK: &str = include_str!("../../../sql/statements/audit_hourly/lock.sql");
const COUNT_ANEW: &str = include_str!("../../../sql/statements/audit_hourly/count_anew.sql");

/// Audit rows that are counted in one transaction.
const ROWS_AT_ONCE_MAX: i64 = 10_000;

/// Counts all rows that are left, and returns how many audit rows that were.
///
/// # Errors
/// When the database fails; what was counted before stays so.
pub async fn count_anew_all(pool: &ServicePool) -> Result<u64, StoreError> {
    let mut total = 0;
    loop {
        match count_anew(pool, ROWS_AT_ONCE_MAX).await? {
            0 => return Ok(total),
            rows => total += rows,
        }
    }
}

/// Counts at most `rows_max` audit rows, the oldest first, and returns how many; 0 when all are counted.
///
/// # Errors
/// When the database fails; the step has happened wholly or not at all.
pub async fn count_anew(pool: &ServicePool, rows_max: i64) -> Result<u64, StoreError> {
    tx(pool, "counting the record anew", |transaction| {
        Box::pin(async move {
            let left = transaction.query_one(IS_LEFT, &[]).await?;
            let is_left: bool = db::column("audit_hourly/is_to_recount", &left)?;
            if !is_left {
                return Ok(0);
            }
            transaction.batch_execute(LOCK).await?;
            let row = transaction.query_one(COUNT_ANEW, &[&rows_max]).await?;
            db::count(db::column("audit_hourly/count_anew", &row)?)
        })
    })
    .await
}
