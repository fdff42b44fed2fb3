//! How often a connection reads its source, and how far back.

use sextant_actors::domain::OPERATOR;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::row::Connection;
use crate::db::{ServicePool, StoreError, tx};

const AMEND: &str = include_str!("../../../sql/statements/connections/amend.sql");

/// What is to change; `None` stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanChange {
    /// Seconds from one success to the next round.
    pub interval_s: Option<i32>,
    /// Days back from now that are read; `Some(None)` for all there is.
    pub window_days: Option<Option<i32>>,
}

/// Changes by what a connection is read. Returns `None` if there is no such connection, or devices push to it.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn amend(
    pool: &ServicePool,
    id: Uuid,
    change: PlanChange,
) -> Result<Option<Connection>, StoreError> {
    tx(pool, "set how a connection is read", |transaction| {
        Box::pin(async move {
            let has_window = change.window_days.is_some();
            let window_days = change.window_days.flatten();
            let values: [&(dyn ToSql + Sync); 5] = [
                &OPERATOR,
                &id,
                &change.interval_s,
                &has_window,
                &window_days,
            ];
            super::one(&*transaction, AMEND, &values).await
        })
    })
    .await
}
