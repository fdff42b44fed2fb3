//! Notes each push of a connection, so that the person can look at the last ones (docs/pushing.md#connections).

use deadpool_postgres::Transaction;
use serde::Serialize;
use tokio_postgres::types::{Json, ToSql};
use uuid::Uuid;

use crate::db::{ServicePool, StoreError, tx};
use crate::ingest::limits::PUSHES_NOTED_MAX;
use crate::ingest::problem::RecordProblem;

use super::counts::StoredCounts;
use super::failure::StoreFailure;
use super::transaction::PushTransaction;

const NOTE: &str = include_str!("../../../sql/statements/pushes/note.sql");

/// Why nothing of a push was stored, as it is kept in `pushes.refusal`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PushRefusal {
    /// The code of the answer.
    pub error: &'static str,
    pub message: String,
    /// The first record at fault, where records were.
    pub problem: Option<RecordProblem>,
}

impl PushTransaction<'_> {
    /// Notes this push as stored. The caller holds the connection's row, so that the notes of one connection have the order of
    /// their commits.
    pub(super) async fn note(
        &self,
        stored: &StoredCounts,
        bytes: Option<u64>,
    ) -> Result<(), StoreFailure> {
        let connection = (self.to.user, self.to.connection);
        Ok(note(self.transaction, connection, stored, bytes, None).await?)
    }
}

/// Notes a push that was refused; one to a connection that has been removed is not noted. `connection` is a user and the id of
/// their connection.
///
/// # Errors
/// When the store fails.
pub async fn note_refused(
    pool: &ServicePool,
    connection: (Uuid, Uuid),
    refusal: &PushRefusal,
) -> Result<(), StoreError> {
    tx(pool, "note a refused push", |transaction| {
        Box::pin(async move {
            let nothing = StoredCounts::default();
            note(&transaction, connection, &nothing, None, Some(refusal)).await
        })
    })
    .await
}

async fn note(
    transaction: &Transaction<'_>,
    (user, connection): (Uuid, Uuid),
    stored: &StoredCounts,
    bytes: Option<u64>,
    refusal: Option<&PushRefusal>,
) -> Result<(), StoreError> {
    let counts = [
        stored.inserted,
        stored.updated,
        stored.unchanged,
        stored.deleted,
        stored.rejected.len() as u64,
    ];
    let [inserted, updated, unchanged, deleted, rejected] = counts.map(to_bigint);
    let (bytes, refusal) = (bytes.map(to_bigint), refusal.map(Json));
    // The newest notes of before stay, but for the room of this one.
    let kept = to_bigint(PUSHES_NOTED_MAX as u64 - 1);
    let values: [&(dyn ToSql + Sync); 10] = [
        &user,
        &connection,
        &inserted,
        &updated,
        &unchanged,
        &deleted,
        &rejected,
        &bytes,
        &refusal,
        &kept,
    ];
    let statement = transaction.prepare_cached(NOTE).await?;
    transaction.execute(&statement, &values).await?;
    Ok(())
}

/// Counts are far below the greatest `bigint`: a push has a million items at the most, and a body's limit is an operator's.
fn to_bigint(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
