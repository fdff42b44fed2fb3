//! What became of each record of a push. Pure.

use serde::Deserialize;

/// What became of one record, as an answer names it (docs/pushing.md#answers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordOutcome {
    Inserted,
    Updated,
    /// Its row is as it was. Also: a deletion of what is not there.
    Unchanged,
    Deleted,
    Rejected,
}

impl RecordOutcome {
    /// The word in the answer.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Inserted => "inserted",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Deleted => "deleted",
            Self::Rejected => "rejected",
        }
    }
}

/// The outcome of each record and deletion, in the order of the push. It takes one byte for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes(Vec<RecordOutcome>);

impl Outcomes {
    /// The outcomes of a push of which nothing is stored yet: all unchanged.
    pub(super) fn of_unchanged(items: usize) -> Self {
        Self(vec![RecordOutcome::Unchanged; items])
    }

    /// Sets the outcome of the record at this position of the push, from 0.
    pub(super) fn set(&mut self, index: usize, outcome: RecordOutcome) {
        if let Some(place) = self.0.get_mut(index) {
            *place = outcome;
        }
    }

    /// All of them, in the order of the push.
    pub fn into_vec(self) -> Vec<RecordOutcome> {
        self.0
    }
}
