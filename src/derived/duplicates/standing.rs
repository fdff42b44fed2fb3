//! Whether there is anything to settle, and how much.

use chrono::{DateTime, Utc};
use deadpool_postgres::Transaction;
use uuid::Uuid;

use crate::db::{StoreError, columns};

const STANDING: &str = include_str!("../../../sql/statements/duplicates/standing.sql");

/// What is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::derived) enum SettleReach {
    /// What the transaction has changed.
    Changed,
    /// The same, where an answer was given.
    Answered,
    Everything,
}

/// What decides whether there is anything to settle.
pub(super) struct DuplicatesStanding {
    /// Whether any accounts are one.
    pub(super) are_any_one: bool,
    /// Whether the transaction has changed an account.
    pub(super) has_changed: bool,
    /// When the transaction began.
    pub(super) now: DateTime<Utc>,
}

/// Reads it.
///
/// # Errors
/// When the database fails.
pub(super) async fn standing(
    transaction: &Transaction<'_>,
    user: Uuid,
) -> Result<DuplicatesStanding, StoreError> {
    let statement = transaction.prepare_cached(STANDING).await?;
    let row = transaction.query_one(&statement, &[&user]).await?;
    let (are_any_one, has_changed, now) = columns("duplicates/standing", &row)?;
    Ok(DuplicatesStanding {
        are_any_one,
        has_changed,
        now,
    })
}
