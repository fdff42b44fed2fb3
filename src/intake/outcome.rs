//! What became of a batch.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What became of a batch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BatchOutcome {
    Stored(BatchCounts),
    /// To be sent in smaller pieces; of a single record this is the reason why it is refused.
    TooLarge(&'static str),
    /// None of it is stored, for this reason.
    Refused(String),
}

/// The counts of one batch.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct BatchCounts {
    pub inserted: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub deleted: u64,
    /// Index in the batch, and all that is wrong with the record.
    pub rejected: BTreeMap<usize, Vec<FieldProblem>>,
    /// What else the service says of the records.
    pub notes: Vec<String>,
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
