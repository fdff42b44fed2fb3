//! The course of a push within its transaction: locks, each batch in the order of the push, then what is made of the stored rows.

use std::collections::{BTreeSet, HashMap};

use crate::db::StoreError;
use crate::derived;
use crate::ingest::batches::{Batch, MergeReason, MergedRecord};
use crate::ingest::limits::{PROBLEMS_MAX, REJECTED_MAX};
use crate::ingest::prepare::{Prepared, Rejects};
use crate::ingest::problem::RecordProblem;
use crate::ingest::row::{Deletion, PushedRecord, SectorRow};

use super::counts::{StoredCounts, UpsertOutcomes};
use super::failure::StoreFailure;
use super::occurrences::series_of;
use super::outcomes::RecordOutcome;
use super::parents::StoredParents;
use super::read_ahead::BatchesAhead;
use super::rows::Upserted;
use super::source_ids::Assigned;
use super::transaction::PushTransaction;

/// What the batches have changed so far.
#[derive(Default)]
pub(super) struct Touched {
    pub stored: StoredCounts,
    parents: StoredParents,
    /// The series whose occurrences are to be made anew, by source id.
    pub series: BTreeSet<String>,
}

impl Touched {
    /// Before the first batch of so many records and deletions.
    pub(super) fn of_items(items: usize) -> Self {
        Self {
            stored: StoredCounts::of_items(items),
            ..Self::default()
        }
    }

    /// Counts the records of a stored batch.
    fn count(
        &mut self,
        roots: &[PushedRecord],
        merged: &[MergedRecord],
        assigned: &Assigned,
        upserted: Upserted,
    ) {
        let mut outcomes = UpsertOutcomes::of(upserted);
        // Those that were superseded come before the record that supersedes them.
        for record in merged {
            let outcome = match (assigned.row_of(record.row), record.because) {
                (None, _) => RecordOutcome::Rejected,
                (Some(_), MergeReason::Repeats) => RecordOutcome::Unchanged,
                (Some(row), MergeReason::Superseded) => outcomes.next_of(row),
            };
            self.stored.count(record.index, outcome);
        }
        for root in roots {
            self.stored.count(root.index, outcomes.next_of(root.row.id));
        }
    }
}

impl PushTransaction<'_> {
    /// Stores all batches of `prepared`.
    ///
    /// # Errors
    /// Why the transaction must not be committed.
    pub(super) async fn run(
        &self,
        batches: &mut BatchesAhead,
        prepared: &Prepared,
    ) -> Result<StoredCounts, StoreFailure> {
        self.plan_each_time().await?;
        self.raise_lock_timeout().await?;
        self.lock_connection().await?;
        derived::take_turn(self.transaction, self.to.user, self.to.table.sector).await?;
        self.lock_names().await?;
        let mut touched = Touched::of_items(prepared.items());
        while let Some(batch) = batches.recv().await {
            let batch = batch.map_err(StoreFailure::Spool)?;
            self.store_batch(batch, &mut touched).await?;
        }
        self.expand(&touched.series).await?;
        derived::settle(self.transaction, self.to.user, self.to.table.sector).await?;
        let mut stored = touched.stored;
        stored.reject(prepared.problems.clone());
        self.mark_succeeded().await?;
        self.note(&stored, prepared.sent_bytes).await?;
        Ok(stored)
    }

    /// Stores one batch.
    pub(super) async fn store_batch(
        &self,
        batch: Batch,
        touched: &mut Touched,
    ) -> Result<(), StoreFailure> {
        match batch {
            Batch::Store { roots, merged } => self.store(roots, &merged, touched).await,
            Batch::Delete(deletions) => self.delete(&deletions, touched).await,
        }
    }

    async fn store(
        &self,
        mut roots: Vec<PushedRecord>,
        merged: &[MergedRecord],
        touched: &mut Touched,
    ) -> Result<(), StoreFailure> {
        let mut assigned = self.assign_ids(&mut roots).await?;
        self.reject(std::mem::take(&mut assigned.refused), &mut touched.stored)?;
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
        touched.count(&roots, merged, &assigned, changed);
        Ok(())
    }

    /// Adds the refused records to the rejected ones, or refuses the push as a whole.
    fn reject(
        &self,
        refused: Vec<RecordProblem>,
        stored: &mut StoredCounts,
    ) -> Result<(), StoreFailure> {
        stored.reject(refused);
        let rejected = &mut stored.rejected;
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
        let positions: HashMap<&str, usize> = deletions
            .iter()
            .map(|deletion| (deletion.source_id.as_str(), deletion.index))
            .collect();
        for deleted in &gone {
            let index = positions.get(deleted.source_id.as_str());
            let index = index.ok_or_else(|| StoreError::Fault {
                cause: "a row was deleted that the push does not name".to_owned(),
            })?;
            touched.stored.count(*index, RecordOutcome::Deleted);
        }
        self.delete_parts(&gone).await?;
        Ok(())
    }
}
