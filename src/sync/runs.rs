//! The runs of a connection, as the person looks at them: one a round; of a source that tells its changes by itself, one as long as
//! it was listened to.

use chrono::{DateTime, Utc};
use deadpool_postgres::Transaction;
use sextant_actors::domain::OPERATOR;
use sextant_actors::ports::{RoundEnd, RoundReport};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::limits::RUNS_KEPT_MAX;
use super::verdict::LEFT_OUT;
use crate::db::{ServicePool, StoreError, only_value, tx};

const BEGIN: &str = include_str!("../../sql/statements/sync_runs/begin.sql");
const END: &str = include_str!("../../sql/statements/sync_runs/end.sql");
const CUT_ALL: &str = include_str!("../../sql/statements/sync_runs/cut_all.sql");

/// Begins a run; from now on no page of an earlier one is stored. `None` when the connection is removed.
///
/// # Errors
/// When the database fails.
pub(super) async fn begin(
    pool: &ServicePool,
    connection: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<i64>, StoreError> {
    tx(pool, "begin a run", |transaction| {
        Box::pin(async move {
            let rows = transaction
                .query(BEGIN, &[&OPERATOR, &connection, &now])
                .await?;
            match rows.is_empty() {
                true => Ok(None),
                false => Ok(Some(only_value("sync_runs/begin", &rows)?)),
            }
        })
    })
    .await
}

/// Ends the open run of a connection.
///
/// # Errors
/// When the database fails.
pub(super) async fn end(
    transaction: &Transaction<'_>,
    connection: Uuid,
    report: &RoundReport,
    ended_at: DateTime<Utc>,
) -> Result<(), StoreError> {
    let outcome = outcome(report);
    let message = report.problem.as_ref().map(|problem| &problem.message);
    // The newest stay; the one that ends is among them.
    let kept = RUNS_KEPT_MAX;
    let values: [&(dyn ToSql + Sync); 5] = [&connection, &ended_at, &outcome, &message, &kept];
    transaction.execute(END, &values).await?;
    Ok(())
}

/// Ends the runs that an earlier process left open.
///
/// # Errors
/// When the database fails.
pub(crate) async fn cut_all(pool: &ServicePool, now: DateTime<Utc>) -> Result<u64, StoreError> {
    tx(pool, "end cut runs", |transaction| {
        Box::pin(async move { Ok(transaction.execute(CUT_ALL, &[&now]).await?) })
    })
    .await
}

/// The word for how a run ended (docs/operating.md#connections).
fn outcome(report: &RoundReport) -> &'static str {
    let problem = report.problem.as_ref();
    let is_partial = problem.is_some_and(|problem| problem.code == LEFT_OUT);
    match &report.end {
        RoundEnd::Finished | RoundEnd::Listening if is_partial => "partial",
        RoundEnd::Finished | RoundEnd::Listening | RoundEnd::Unfinished => "ok",
        RoundEnd::Halted => "halted",
        RoundEnd::StoreAway => "interrupted",
        RoundEnd::Failed { .. } | RoundEnd::NeedsPerson => "failed",
    }
}
