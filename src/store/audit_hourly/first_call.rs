use chrono::{DateTime, Utc};
use deadpool_postgres::Object;
use sextant_actors::domain::OPERATOR;

use crate::db::{self, ServicePool, StoreError};

const FIRST_CALL: &str = include_str!("../../../sql/statements/audit_hourly/first_call.sql");
const IS_CALLED_SINCE: &str =
    include_str!("../../../sql/statements/audit_hourly/is_called_since.sql");

/// How far agents have come: the first call, or a key that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstCall {
    /// An agent was allowed a call once.
    pub is_made: bool,
    /// When a key was last refused, if no agent was allowed a call since.
    pub refused_at: Option<DateTime<Utc>>,
}

/// Whether an agent ever called, and whether a key was refused after `since`; without `since`, no refusal counts. Reads the counts by
/// hour, never the log.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn first_call(
    pool: &ServicePool,
    since: Option<DateTime<Utc>>,
) -> Result<FirstCall, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(FIRST_CALL).await?;
    let row = client.query_one(&statement, &[&OPERATOR, &since]).await?;
    let (is_made, refused_at) = db::columns("audit_hourly/first_call", &row)?;
    let is_called = match refused_at {
        Some(at) => is_called_since(&client, at).await?,
        None => false,
    };
    Ok(FirstCall {
        is_made,
        refused_at: refused_at.filter(|_| !is_called),
    })
}

/// A question of its own, so that PostgreSQL knows the hour when it plans it, and reads no hour before that.
async fn is_called_since(client: &Object, at: DateTime<Utc>) -> Result<bool, StoreError> {
    let statement = client.prepare_cached(IS_CALLED_SINCE).await?;
    let row = client.query_one(&statement, &[&OPERATOR, &at]).await?;
    db::column("audit_hourly/is_called_since", &row)
}
