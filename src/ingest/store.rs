//! Stores a prepared push in one transaction: all of it, or nothing.

mod counts;
mod failure;
mod history;
mod occurrences;
mod outcomes;
mod parents;
mod parts;
mod read_ahead;
mod references;
mod rows;
mod run;
mod source;
mod source_ids;
mod statistics;
mod transaction;

use std::collections::BTreeSet;
use std::sync::Arc;

use deadpool_postgres::Transaction;
use uuid::Uuid;

use crate::db::{ServicePool, StoreError, tx};
use crate::statements::write::Precedence;

use super::destination::PushDestination;
use super::prepare::{Prepared, Rejects};

use self::read_ahead::read_ahead;
use self::transaction::PushTransaction;

pub use self::counts::StoredCounts;
pub use self::failure::StoreFailure;
pub use self::history::{PushRefusal, note_refused};
pub use self::outcomes::RecordOutcome;
pub(crate) use self::source::{SourceStep, store_source};

/// Stores the push. `siblings` are the person's push connections of the same sector, in which references are looked up
/// after the push's own.
///
/// # Errors
/// Why nothing was stored. After a lost commit it may have been stored, and sending the push again is harmless.
pub async fn store(
    pool: &ServicePool,
    to: &PushDestination,
    siblings: &[Uuid],
    prepared: Prepared,
) -> Result<StoredCounts, StoreFailure> {
    let prepared = Arc::new(prepared);
    tx(pool, "ingest", |transaction| {
        let prepared = Arc::clone(&prepared);
        Box::pin(async move { store_within(&transaction, to, siblings, prepared).await })
    })
    .await
}

/// Stores the push within a transaction of the caller.
///
/// # Errors
/// Why the transaction must not be committed.
pub async fn store_within(
    transaction: &Transaction<'_>,
    to: &PushDestination,
    siblings: &[Uuid],
    prepared: Arc<Prepared>,
) -> Result<StoredCounts, StoreFailure> {
    let rejects = prepared.rejects();
    let (mut batches, reader) = read_ahead(Arc::clone(&prepared));
    let push = PushTransaction {
        transaction,
        to,
        siblings,
        rejects,
        precedence: Precedence::Stamps,
    };
    let stored = push.run(&mut batches, &prepared).await;
    drop(batches);
    // A reader that ended early would have made the push look shorter than it is.
    reader.await.map_err(|failed| StoreError::Fault {
        cause: format!("the spool was not read to its end: {failed}"),
    })?;
    stored
}

/// Makes the occurrences of the named series of a connection anew.
///
/// # Errors
/// When the store fails.
pub(crate) async fn expand_series(
    transaction: &Transaction<'_>,
    to: &PushDestination,
    series: &BTreeSet<String>,
) -> Result<(), StoreFailure> {
    PushTransaction {
        transaction,
        to,
        siblings: &[],
        rejects: Rejects::All,
        precedence: Precedence::Stamps,
    }
    .expand(series)
    .await
}
