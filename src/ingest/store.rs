//! A prepared push, stored in one transaction: all of it, or nothing.

mod namesakes;
mod occurrences;
mod parents;
mod parts;
mod references;
mod rows;

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;

use deadpool_postgres::Transaction;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};
use uuid::Uuid;

use crate::db::{ServicePool, StoreError, TxFailure, expect_one, tx};
use crate::derived;

use super::batches::Batch;
use super::destination::Destination;
use super::limits::{PROBLEMS_MAX, REJECTED_MAX};
use super::prepare::{Prepared, Rejects};
use super::problem::{RecordProblem, Unreadable};
use super::row::{Deletion, Root, Row};

use parents::Parents;

/// Batches that are parsed ahead of the database.
const BATCHES_AHEAD_MAX: usize = 1;

/// What a push did, counted in root records (docs/pushing.md#answers).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    pub inserted: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub deleted: u64,
    /// Records that turned out not to go beside what is stored, where the others are stored nevertheless.
    pub rejected: Vec<RecordProblem>,
}

/// Why nothing was stored.
#[derive(Debug)]
pub enum StoreFailure {
    Store(StoreError),
    Spool(Unreadable),
    /// Records do not go beside what is stored.
    Refused(Vec<RecordProblem>),
    /// The connection was removed while the push was under way.
    Removed,
}

impl From<StoreError> for StoreFailure {
    fn from(cause: StoreError) -> Self {
        StoreFailure::Store(cause)
    }
}

impl From<tokio_postgres::Error> for StoreFailure {
    fn from(cause: tokio_postgres::Error) -> Self {
        StoreFailure::Store(cause.into())
    }
}

impl TxFailure for StoreFailure {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            StoreFailure::Store(cause) => Some(cause),
            StoreFailure::Spool(_) | StoreFailure::Refused(_) | StoreFailure::Removed => None,
        }
    }
}

impl fmt::Display for StoreFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreFailure::Store(cause) => cause.fmt(formatter),
            StoreFailure::Spool(cause) => cause.fmt(formatter),
            StoreFailure::Refused(_) => {
                formatter.write_str("records do not go beside what is stored")
            }
            StoreFailure::Removed => formatter.write_str("the connection has been removed"),
        }
    }
}

impl std::error::Error for StoreFailure {}

/// Stores the push. `siblings` are the person's push connections of the same sector, in which references are looked up
/// after the push's own.
///
/// # Errors
/// Why nothing was stored; after a lost commit it may have been, and sending the push again is harmless.
pub async fn store(
    pool: &ServicePool,
    to: &Destination,
    siblings: &[Uuid],
    prepared: Prepared,
) -> Result<Stored, StoreFailure> {
    let prepared = Arc::new(prepared);
    tx(pool, "ingest", |transaction| {
        let prepared = Arc::clone(&prepared);
        Box::pin(async move { store_within(&transaction, to, siblings, prepared).await })
    })
    .await
}

/// The same inside a transaction that does more than this.
///
/// # Errors
/// Why the transaction cannot be committed.
pub async fn store_within(
    transaction: &Transaction<'_>,
    to: &Destination,
    siblings: &[Uuid],
    prepared: Arc<Prepared>,
) -> Result<Stored, StoreFailure> {
    let rejects = prepared.rejects();
    let (mut batches, reader) = read_ahead(prepared);
    let work = Work {
        transaction,
        to,
        siblings,
        rejects,
    };
    let stored = work.run(&mut batches).await;
    drop(batches);
    let _the_reader_has_ended = reader.await;
    stored
}

/// Makes the occurrences of the named series of a connection anew.
///
/// # Errors
/// When the store fails.
pub async fn expand_series(
    transaction: &Transaction<'_>,
    to: &Destination,
    series: &BTreeSet<String>,
) -> Result<(), StoreFailure> {
    Work {
        transaction,
        to,
        siblings: &[],
        rejects: Rejects::All,
    }
    .expand(series)
    .await
}

type Ahead = mpsc::Receiver<Result<Batch, Unreadable>>;

/// Reads the spool on a thread where blocking is no harm. A batch is read only when there is room for it: one may be as large
/// as the largest record, and none is to be held beside those that wait.
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
            let _nobody_waits_any_more = sender.blocking_send(Err(Unreadable::Spool(cause)));
        }
    });
    (receiver, reader)
}

/// One transaction's work on one destination.
struct Work<'a> {
    transaction: &'a Transaction<'a>,
    to: &'a Destination,
    siblings: &'a [Uuid],
    rejects: Rejects,
}

/// What the batches have touched so far.
#[derive(Default)]
struct Touched {
    stored: Stored,
    parents: Parents,
    /// The series whose occurrences are to be made anew, by source id.
    series: BTreeSet<String>,
}

impl Work<'_> {
    async fn run(&self, batches: &mut Ahead) -> Result<Stored, StoreFailure> {
        self.plan_each_time().await?;
        self.wait_patiently().await?;
        self.hold().await?;
        self.name_alone().await?;
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
        self.succeeded().await?;
        Ok(touched.stored)
    }

    /// A plan that was kept from the first batches, when the tables were small, would read them whole for each later one.
    async fn plan_each_time(&self) -> Result<(), StoreFailure> {
        let statement = include_str!("../../sql/statements/transaction/plan_each_time.sql");
        Ok(self.transaction.batch_execute(statement).await?)
    }

    async fn wait_patiently(&self) -> Result<(), StoreFailure> {
        let statement = include_str!("../../sql/statements/transaction/wait_patiently.sql");
        Ok(self.transaction.batch_execute(statement).await?)
    }

    /// Keeps the connection from being removed under the push; a removal waits, and then erases these rows too.
    async fn hold(&self) -> Result<(), StoreFailure> {
        let statement = include_str!("../../sql/statements/connections/hold.sql");
        let held = self
            .transaction
            .query_opt(statement, &[&self.to.user, &self.to.connection])
            .await?;
        held.map(|_| ()).ok_or(StoreFailure::Removed)
    }

    /// The connection was heard of: what `as_of` and freshness are read from.
    async fn succeeded(&self) -> Result<(), StoreFailure> {
        let statement = include_str!("../../sql/statements/connections/succeeded.sql");
        let found = self
            .transaction
            .execute(statement, &[&self.to.user, &self.to.connection])
            .await?;
        Ok(expect_one("connections/succeeded", found)?)
    }

    async fn store(
        &self,
        mut roots: Vec<Root>,
        mut superseded: Vec<Uuid>,
        touched: &mut Touched,
    ) -> Result<(), StoreFailure> {
        let named = self.name(&mut roots).await?;
        named.follow(&mut superseded);
        self.refuse(named.refused, &mut touched.stored.rejected)?;
        self.link_parents(&mut roots, &mut touched.parents).await?;
        let mut named: Vec<&mut Row> = roots.iter_mut().map(|root| &mut root.row).collect();
        let waiting = self.link_references(self.to.table, &mut named).await?;
        let rows: Vec<&Row> = roots.iter().map(|root| &root.row).collect();
        let changed = self.upsert(self.to.table, &rows).await?;
        self.wait_for_parents(self.to.table, &rows, &waiting)
            .await?;
        self.store_parts(&roots).await?;
        self.resolve_waiting(self.to.table, &changed.ids).await?;
        touched
            .series
            .extend(occurrences::series_of(self.to.table, &rows));
        // What was overtaken would have changed its row only if what overtook it did.
        let ids: HashSet<&Uuid> = changed.ids.iter().collect();
        let overtaken = superseded.iter().filter(|id| ids.contains(id)).count() as u64;
        let sent = (rows.len() + superseded.len()) as u64;
        let stored = &mut touched.stored;
        stored.inserted += changed.inserted;
        stored.updated += changed.updated + overtaken;
        stored.unchanged += sent.saturating_sub(changed.inserted + changed.updated + overtaken);
        Ok(())
    }

    /// Refuses records by name, or the push as a whole.
    fn refuse(
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
