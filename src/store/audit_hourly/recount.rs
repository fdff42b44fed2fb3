//! Counts that were made before they had a user, made anew from the record, some rows at a time: a flush waits for no more than
//! those, a kill loses none, and what is read meanwhile adds up.

use crate::db::{self, ServicePool, StoreError, tx};

const IS_LEFT: &str = include_str!("../../../sql/statements/audit_hourly/is_to_recount.sql");
const LOCK: &str = include_str!("../../../sql/statements/audit_hourly/lock.sql");
const COUNT_ANEW: &str = include_str!("../../../sql/statements/audit_hourly/count_anew.sql");

/// Rows of the record that are counted anew in one transaction.
const ROWS_AT_ONCE_MAX: i64 = 10_000;

/// Counts all that is left; answers how many rows of the record that were.
///
/// # Errors
/// When the database fails; what was counted by then is.
pub async fn count_anew_all(pool: &ServicePool) -> Result<u64, StoreError> {
    let mut total = 0;
    loop {
        match count_anew(pool, ROWS_AT_ONCE_MAX).await? {
            0 => return Ok(total),
            rows => total += rows,
        }
    }
}

/// One step: at most `rows_max` rows of the record, the oldest first; answers how many there were, none when all are counted.
///
/// # Errors
/// When the database fails; the step has then happened whole or not at all.
pub async fn count_anew(pool: &ServicePool, rows_max: i64) -> Result<u64, StoreError> {
    tx(pool, "counting the record anew", |transaction| {
        Box::pin(async move {
            let left = transaction.query_one(IS_LEFT, &[]).await?;
            if !left.try_get::<_, bool>("is_to_recount")? {
                return Ok(0);
            }
            transaction.batch_execute(LOCK).await?;
            let row = transaction.query_one(COUNT_ANEW, &[&rows_max]).await?;
            db::count(row.try_get("rows")?)
        })
    })
    .await
}
