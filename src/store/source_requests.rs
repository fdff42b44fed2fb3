//! The table `source_requests`: how many requests a sign-in has sent within a day, for sources that allow a number.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use sextant_actors::clock::Clock;
use sextant_actors::domain::OPERATOR;
use sextant_connectors::failure::{FailureKind, RetryAfter, SourceFailure};
use sextant_connectors::request_ledger::RequestLedger;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::store_away::StoreAway;
use crate::db::{ServicePool, StoreError, column, tx};

const LOCK: &str = include_str!("../../sql/statements/source_requests/lock.sql");
const SPENT: &str = include_str!("../../sql/statements/source_requests/spent.sql");
const COUNT: &str = include_str!("../../sql/statements/source_requests/count.sql");

/// What is counted together.
const DAY: TimeDelta = TimeDelta::days(1);

/// Counts the requests of one sign-in. A request is counted before it is sent.
pub(crate) struct StoredRequests {
    pool: ServicePool,
    clock: Arc<dyn Clock>,
    sign_in: Uuid,
    is_store_away: StoreAway,
}

impl StoredRequests {
    /// Those of this sign-in.
    pub(crate) const fn new(
        pool: ServicePool,
        clock: Arc<dyn Clock>,
        sign_in: Uuid,
        is_store_away: StoreAway,
    ) -> Self {
        Self {
            pool,
            clock,
            sign_in,
            is_store_away,
        }
    }
}

#[async_trait]
impl RequestLedger for StoredRequests {
    async fn take(&self, subject: &str, a_day: u32) -> Result<(), SourceFailure> {
        let now = self.clock.now();
        match take(&self.pool, (self.sign_in, subject), a_day, now).await {
            Ok(None) => Ok(()),
            Ok(Some(free_at)) => Err(spent(a_day, free_at - now)),
            Err(cause) => {
                log::warn!("a request to a source could not be counted: {cause}");
                Err(self.is_store_away.note())
            }
        }
    }
}

/// Counts one; or answers when there is one again.
async fn take(
    pool: &ServicePool,
    (sign_in, subject): (Uuid, &str),
    a_day: u32,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, StoreError> {
    tx(pool, "count a request to a source", |transaction| {
        Box::pin(async move {
            let yesterday = now - DAY;
            transaction
                .execute(LOCK, &[&OPERATOR, &sign_in, &yesterday])
                .await?;
            let newest = i64::from(a_day);
            let values: [&(dyn ToSql + Sync); 4] = [&sign_in, &subject, &newest, &yesterday];
            if let Some(row) = transaction.query_opt(SPENT, &values).await? {
                let at: DateTime<Utc> = column("source_requests/spent", &row)?;
                return Ok(Some(at + DAY));
            }
            transaction
                .execute(COUNT, &[&sign_in, &subject, &now])
                .await?;
            Ok(None)
        })
    })
    .await
}

fn spent(a_day: u32, wait: TimeDelta) -> SourceFailure {
    let message = format!(
        "{a_day} requests were sent within a day, which is what the source allows; what is stored is served meanwhile"
    );
    let wait = wait.to_std().unwrap_or(Duration::ZERO);
    SourceFailure {
        retry_after: Some(RetryAfter::Wait(wait)),
        ..SourceFailure::new(FailureKind::RateLimited, message)
    }
}
