//! What became of a batch, and of the part of a file that was in it.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::ingest::RecordOutcome;

/// What became of a batch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BatchOutcome {
    Stored(StoredBatch),
    /// To be sent in smaller pieces; of a single record this is the reason why it is refused.
    TooLarge(&'static str),
    /// None of it is stored, for this reason.
    Refused(String),
}

/// A batch of which the valid records are stored.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredBatch {
    /// One for each of its rows, in its order.
    pub outcomes: Vec<RecordOutcome>,
    /// Index in the batch, and all that is wrong with the record.
    pub rejected: BTreeMap<usize, Vec<FieldProblem>>,
    /// What else the service says of the records.
    pub notes: Vec<String>,
}

/// Records of one file, by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FileCounts {
    pub inserted: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub deleted: u64,
}

impl FileCounts {
    /// Those that were taken.
    pub(crate) const fn taken(self) -> u64 {
        self.inserted + self.updated + self.unchanged + self.deleted
    }

    /// Counts one more.
    pub(crate) fn count(&mut self, outcome: RecordOutcome) {
        match outcome {
            RecordOutcome::Inserted => self.inserted += 1,
            RecordOutcome::Updated => self.updated += 1,
            RecordOutcome::Unchanged => self.unchanged += 1,
            RecordOutcome::Deleted => self.deleted += 1,
            RecordOutcome::Rejected => {}
        }
    }
}

/// What is wrong with a field of a record, or with all of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct FieldProblem {
    #[serde(default)]
    pub field: Option<String>,
    pub message: String,
}

impl FieldProblem {
    /// `sent` is what the field held, if that is known: the service does not repeat it.
    pub(crate) fn sentence(&self, sent: Option<String>) -> String {
        match (&self.field, sent) {
            (Some(field), Some(sent)) => format!("{field} {sent}: {}", self.message),
            (Some(field), None) if !field.is_empty() => format!("{field}: {}", self.message),
            _ => self.message.clone(),
        }
    }
}
