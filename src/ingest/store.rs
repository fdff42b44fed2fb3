//! Stores a prepared push in one transaction: all of it, or nothing.

mod failure;
mod occurrences;
mod parents;
mod parts;
mod references;
mod rows;
mod source_ids;
mod transaction;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use deadpool_postgres::Transaction;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};
use uuid::Uuid;

use crate::db::{ServicePool, StoreError, tx};
use crate::derived;

use super::batches::Batch;
use super::destination::PushDestination;
use super::limits::{PROBLEMS_MAX, REJECTED_MAX};
use super::prepare::{Prepared, Rejects};
use super::problem::{RecordProblem, Unreadable};
use super::row::{Deletion, PushedRecord, SectorRow};

use self::parents::StoredParents;
use self::transaction::PushTransaction;

pub use self::failure::StoreFailure;

/// Batches that are parsed ahead of the database.
const BATCHES_AHEAD_MAX: usize = 1;

/// What a push did, counted in root records (docs/pushing.md#answers).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredCounts {
    pub inserted: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub deleted: u64,
    /// Records that conflict with what is stored, where the others are stored nevertheless.
    pub rejected: Vec<RecordProblem>,
}

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
    let (mut batches, reader) = read_ahead(prepared);
    let work = PushTransaction {
        transaction,
        to,
        siblings,
        rejects,
    };
    let stored = work.run(&mut batches).await;
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
    }
    .expand(series)
    .await
}

type Ahead = mpsc::Receiver<Result<Batch, Unreadable>>;

/// Reads the spool on a thread for blocking work. A batch is read only when the channel has room for it: a batch may be as large
/// as the largest record, so no further one is held in memory.
fn read_ahead(prepared: Arc<Prepared>) -> (Ahead, JoinHandle<()>) {
    let (sender, receiver) = mpsc::channel(BATCHES_AHEAD_MAX);
    let runtime = Handle::current();
    let reader = spawn_blocking(move || match prepared.batches() {
        Ok(mut batches) => {
            while let Ok(room) = runtime.block_on(sender.reserve()) {
                let Some(batch) = batches.next() else { break };
                room.send(batch);
            }
        }
        Err(cause) => {
            let _the_transaction_has_ended = sender.blocking_send(Err(Unreadable::Spool(cause)));
        }
    });
    (receiver, reader)
}

/// What the batches have changed so far.
#[derive(Default)]
struct Touched {
    stored: StoredCounts,
    parents: StoredParents,
    /// The series whose occurrences are to be made anew, by source id.
    series: BTreeSet<String>,
}

impl PushTransaction<'_> {
    async fn run(&self, batches: &mut Ahead) -> Result<StoredCounts, StoreFailure> {
        self.plan_each_time().await?;
        self.raise_lock_timeout().await?;
        self.lock_connection().await?;
        self.lock_names().await?;
        let mut touched = Touched::default();
        while let Some(batch) = batches.recv().await {
            match batch.map_err(StoreFailure::Spool)? {
                Batch::Store {
                    roots,
                    repeated,
                    superseded,
                } => {
                    touched.stored.unchanged += repeated;
                    self.store(roots, superseded, &mut touched).await?;
                }
                Batch::Delete(deletions) => self.delete(&deletions, &mut touched).await?,
            }
        }
        self.expand(&touched.series).await?;
        derived::settle(self.transaction, self.to.user, self.to.table.sector).await?;
        self.mark_succeeded().await?;
        Ok(touched.stored)
    }

    async fn store(
        &self,
        mut roots: Vec<PushedRecord>,
        mut superseded: Vec<Uuid>,
        touched: &mut Touched,
    ) -> Result<(), StoreFailure> {
        let assigned = self.assign_ids(&mut roots).await?;
        assigned.rename_superseded(&mut superseded);
        self.reject(assigned.refused, &mut touched.stored.rejected)?;
        self.link_parents(&mut roots, &mut touched.parents).await?;
        let mut unlinked: Vec<&mut SectorRow> =
            roots.iter_mut().map(|root| &mut root.row).collect();
        let waiting = self.link_references(self.to.table, &mut unlinked).await?;
        let rows: Vec<&SectorRow> = roots.iter().map(|root| &root.row).collect();
        let changed = self.upsert(self.to.table, &rows).await?;
        self.wait_for_parents(self.to.table, &rows, &waiting)
            .await?;
        self.store_parts(&roots).await?;
        self.resolve_waiting(self.to.table, &changed.ids).await?;
        touched
            .series
            .extend(occurrences::series_of(self.to.table, &rows));
        // A superseded record counts as an update only if the one that replaced it changed the row.
        let ids: HashSet<&Uuid> = changed.ids.iter().collect();
        let replaced = superseded.iter().filter(|id| ids.contains(id)).count() as u64;
        let sent = (rows.len() + superseded.len()) as u64;
        let stored = &mut touched.stored;
        stored.inserted += changed.inserted;
        stored.updated += changed.updated + replaced;
        stored.unchanged += sent.saturating_sub(changed.inserted + changed.updated + replaced);
        Ok(())
    }

    /// Adds the refused records to the rejected ones, or refuses the push as a whole.
    fn reject(
        &self,
        refused: Vec<RecordProblem>,
        rejected: &mut Vec<RecordProblem>,
    ) -> Result<(), StoreFailure> {
        rejected.extend(refused);
        let most = match self.rejects {
            Rejects::All => 0,
            Rejects::Listed => REJECTED_MAX,
        };
        if rejected.len() > most {
            rejected.truncate(PROBLEMS_MAX);
            return Err(StoreFailure::Refused(std::mem::take(rejected)));
        }
        Ok(())
    }

    async fn delete(
        &self,
        deletions: &[Deletion],
        touched: &mut Touched,
    ) -> Result<(), StoreFailure> {
        touched
            .series
            .extend(self.series_of_deleted(deletions).await?);
        let gone = self.tombstone(self.to.table, deletions).await?;
        touched.stored.deleted += gone.len() as u64;
        self.delete_parts(&gone).await?;
        Ok(())
    }
}
