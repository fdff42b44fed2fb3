//! What of an answered batch belongs to which file. Pure.

use std::collections::BTreeMap;

use sextant_formats::EntryPlace;

use super::batch::PushBatch;
use super::listener::IntakeEvent;
use super::outcome::{FieldProblem, FileCounts, StoredBatch};

/// Of each file in the batch: its number, how many of its records were answered, and what became of them. The service's notes
/// are told of the first.
pub(super) fn shares(
    connection: usize,
    batch: &PushBatch,
    stored: StoredBatch,
) -> Vec<(usize, usize, Option<IntakeEvent>)> {
    let mut by_file = BTreeMap::<usize, FileCounts>::new();
    for ((file, _), outcome) in batch.places().zip(&stored.outcomes) {
        by_file.entry(file).or_default().count(*outcome);
    }
    let mut notes = Some(stored.notes);
    let shares = batch.files().map(|(file, records)| {
        let event = IntakeEvent::Stored {
            connection,
            counts: by_file.get(&file).copied().unwrap_or_default(),
            notes: notes.take().unwrap_or_default(),
        };
        (file, records, Some(event))
    });
    shares.collect()
}

/// The file, place and reason of each record that was rejected.
pub(super) fn rejected(
    batch: &PushBatch,
    rejected: &BTreeMap<usize, Vec<FieldProblem>>,
) -> Vec<(usize, EntryPlace, String)> {
    let listed = rejected.iter().filter_map(|(index, problems)| {
        let (file, place) = batch.place(*index)?;
        let sentences = problems.iter().map(|problem| {
            let field = problem.field.as_deref();
            problem.sentence(field.and_then(|field| batch.sent(*index, field)))
        });
        let reason = sentences.collect::<Vec<_>>().join("; ");
        Some((file, place.clone(), reason))
    });
    listed.collect()
}
