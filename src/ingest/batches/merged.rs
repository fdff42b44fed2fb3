//! Records of a push that are not stored themselves, because another one of the same row is. Pure.

use uuid::Uuid;

use crate::ingest::row::PushedRecord;

/// A record of a push that is not stored itself, because another one of its row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergedRecord {
    /// Its position in the push, from 0.
    pub index: usize,
    /// The id of its row, as it was sent.
    pub row: Uuid,
    pub because: MergeReason,
}

/// Why another record of the same row is stored in place of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeReason {
    /// It is equal to the other, or older.
    Repeats,
    /// The other came later.
    Superseded,
}

impl MergedRecord {
    /// What is kept of `record`.
    pub(super) const fn of(record: &PushedRecord, because: MergeReason) -> Self {
        Self {
            index: record.index,
            row: record.row.id,
            because,
        }
    }
}
