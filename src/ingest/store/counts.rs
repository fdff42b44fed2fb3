//! What a push did, counted and for each record. Pure.

use std::collections::HashSet;

use uuid::Uuid;

use crate::ingest::problem::RecordProblem;

use super::outcomes::{Outcomes, RecordOutcome};
use super::rows::Upserted;

/// What a push did, counted in root records (docs/pushing.md#answers).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredCounts {
    pub inserted: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub deleted: u64,
    /// Records that cannot be stored, where the others are stored nevertheless.
    pub rejected: Vec<RecordProblem>,
    /// What became of each record and deletion.
    pub outcomes: Outcomes,
}

impl StoredCounts {
    /// The counts of a push of so many records and deletions, before the first is stored.
    pub(super) fn of_items(items: usize) -> Self {
        Self {
            outcomes: Outcomes::of_unchanged(items),
            ..Self::default()
        }
    }

    /// Adds records that cannot be stored, and keeps the list in the order of the push.
    pub(super) fn reject(&mut self, problems: Vec<RecordProblem>) {
        if problems.is_empty() {
            return;
        }
        for problem in &problems {
            self.outcomes.set(problem.index, RecordOutcome::Rejected);
        }
        self.rejected.extend(problems);
        self.rejected.sort_by_key(|problem| problem.index);
    }

    /// Counts a record, at its position in the push, that was stored or need not be.
    pub(super) fn count(&mut self, index: usize, outcome: RecordOutcome) {
        self.outcomes.set(index, outcome);
        match outcome {
            RecordOutcome::Inserted => self.inserted += 1,
            RecordOutcome::Updated => self.updated += 1,
            RecordOutcome::Unchanged => self.unchanged += 1,
            RecordOutcome::Deleted => self.deleted += 1,
            RecordOutcome::Rejected => {}
        }
    }
}

/// The outcomes of the records that one upsert stored.
pub(super) struct UpsertOutcomes {
    changed: HashSet<Uuid>,
    /// Rows of which no record has been counted as the inserting one.
    inserted: HashSet<Uuid>,
}

impl UpsertOutcomes {
    pub(super) fn of(upserted: Upserted) -> Self {
        Self {
            changed: upserted.ids.into_iter().collect(),
            inserted: upserted.inserted,
        }
    }

    /// The outcome of the next record of this row. Several of one row are taken in the order of the push: the first of an inserted
    /// row inserts it, and each later one updates it.
    pub(super) fn next_of(&mut self, row: Uuid) -> RecordOutcome {
        if self.inserted.remove(&row) {
            RecordOutcome::Inserted
        } else if self.changed.contains(&row) {
            RecordOutcome::Updated
        } else {
            RecordOutcome::Unchanged
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_record_of_a_new_row_inserts_it_and_the_later_ones_update_it() {
        let [new, known, same] = [1, 2, 3].map(Uuid::from_u128);
        let mut outcomes = UpsertOutcomes::of(Upserted {
            ids: vec![new, known],
            inserted: HashSet::from([new]),
        });
        let words = [new, new, known, known, same].map(|row| outcomes.next_of(row).as_str());
        assert_eq!(
            words,
            ["inserted", "updated", "updated", "updated", "unchanged"]
        );
    }

    #[test]
    fn what_is_neither_counted_nor_rejected_is_unchanged() {
        let mut stored = StoredCounts::of_items(4);
        stored.count(2, RecordOutcome::Deleted);
        let problem = |index| RecordProblem {
            index,
            field: String::new(),
            message: String::new(),
        };
        stored.reject(vec![problem(3)]);
        stored.reject(vec![problem(1)]);
        let listed: Vec<usize> = stored
            .rejected
            .iter()
            .map(|problem| problem.index)
            .collect();
        assert_eq!(
            (listed, stored.deleted, stored.unchanged),
            (vec![1, 3], 1, 0)
        );
        let words = stored.outcomes.into_vec();
        let words: Vec<&str> = words.into_iter().map(RecordOutcome::as_str).collect();
        assert_eq!(words, ["unchanged", "rejected", "deleted", "rejected"]);
    }
}
