//! The course of a push within its transaction: locks, each batch in the order of the push, then what is made of the stored rows.

use std::collections::{BTreeSet, HashSet};

use uuid::Uuid;

use crate::derived;
use crate::ingest::batches::Batch;
use crate::ingest::limits::{PROBLEMS_MAX, REJECTED_MAX};
use crate::ingest::prepare::Rejects;
use crate::ingest::problem::RecordProblem;
use crate::ingest::row::{Deletion, PushedRecord, SectorRow};

use super::failure::StoreFailure;
use super::occurrences::series_of;
use super::parents::StoredParents;
use super::read_ahead::BatchesAhead;
use super::transaction::PushTransaction;

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

/// What the batches have changed so far.
#[derive(Default)]
struct Touched {
    stored: StoredCounts,
    parents: StoredParents,
    /// The series whose occurrences are to be made anew, by source id.
    series: BTreeSet<String>,
}

impl PushTransaction<'_> {
    /// Stores all batches.
    ///
    /// # Errors
    /// Why the transaction must not be committed.
    pub(super) async fn run(
        &self,
        batches: &mut BatchesAhead,
    ) -> Result<StoredCounts, StoreFailure> {
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
        self.store_parts(&roots, &changed.inserted).await?;
        self.resolve_waiting(self.to.table, &changed.ids).await?;
        touched.series.extend(series_of(self.to.table, &rows));
        // A superseded record counts as an update only if the one that replaced it changed the row.
        let ids: HashSet<&Uuid> = changed.ids.iter().collect();
        let replaced = superseded.iter().filter(|id| ids.contains(id)).count() as u64;
        let sent = (rows.len() + superseded.len()) as u64;
        let changes = changed.ids.len() as u64 + replaced;
        let inserted = changed.inserted.len() as u64;
        let stored = &mut touched.stored;
        stored.inserted += inserted;
        stored.updated += changes.saturating_sub(inserted);
        stored.unchanged += sent.saturating_sub(changes);
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
