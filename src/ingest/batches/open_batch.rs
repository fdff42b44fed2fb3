//! A batch of records while it is filled: which record it takes, and which of two with one source id stays. Pure.

use std::collections::HashMap;

use crate::catalog::Table;
use crate::ingest::row::PushedRecord;
use crate::ingest::{inferred_day, namesakes};

use super::merged::{MergeReason, MergedRecord};

/// A batch of records that is being filled.
pub(super) struct OpenBatch {
    table: &'static Table,
    pub(super) roots: Vec<PushedRecord>,
    /// Positions in `roots` by source id.
    positions: HashMap<String, usize>,
    /// The sizes of its records in the spool.
    pub(super) bytes: usize,
    /// See [`super::Batch::Store`].
    pub(super) merged: Vec<MergedRecord>,
}

impl OpenBatch {
    pub(super) fn new(table: &'static Table) -> Self {
        Self {
            table,
            roots: Vec::new(),
            positions: HashMap::new(),
            bytes: 0,
            merged: Vec::new(),
        }
    }

    /// Whether the batch can take the record. One with the source id of another and a content that cannot be merged with it
    /// belongs into the next batch.
    pub(super) fn accepts(&self, root: &PushedRecord) -> bool {
        self.earlier(root)
            .is_none_or(|earlier| earlier.has_equal_content(root) || self.may_merge(earlier, root))
    }

    /// Whether storing only the newer of the two has the same effect as storing one after the other.
    fn may_merge(&self, earlier: &PushedRecord, later: &PushedRecord) -> bool {
        differ_in_own_row_only(earlier, later)
            && !namesakes::may_differ(self.table, &earlier.row, &later.row)
    }

    fn earlier(&self, root: &PushedRecord) -> Option<&PushedRecord> {
        self.roots.get(*self.positions.get(&root.row.source_id)?)
    }

    /// Adds a record that [`OpenBatch::accepts`]; of two with one source id the newer stays.
    pub(super) fn add(&mut self, mut root: PushedRecord, bytes: usize) {
        self.bytes += bytes;
        let position = self.positions.get(&root.row.source_id).copied();
        match position.and_then(|position| self.roots.get_mut(position)) {
            None => {
                self.positions
                    .insert(root.row.source_id.clone(), self.roots.len());
                self.roots.push(root);
            }
            Some(earlier)
                if earlier.has_equal_content(&root)
                    || earlier.row.updated_at > root.row.updated_at =>
            {
                self.merged
                    .push(MergedRecord::of(&root, MergeReason::Repeats));
            }
            Some(earlier) => {
                inferred_day::keep(self.table, &mut root.row, &earlier.row);
                self.merged
                    .push(MergedRecord::of(earlier, MergeReason::Superseded));
                *earlier = root;
            }
        }
    }
}

/// Whether two records differ only in columns of their own row, and `updated_at` alone decides which of them is stored.
fn differ_in_own_row_only(earlier: &PushedRecord, later: &PushedRecord) -> bool {
    let is_alone = |root: &PushedRecord| root.parents.is_empty() && root.parts.is_empty();
    is_alone(earlier)
        && is_alone(later)
        && earlier.row.references == later.row.references
        && !earlier.row.is_of_another_time(&later.row)
        && earlier.row.updated_at.is_some() == later.row.updated_at.is_some()
}
