//! Checks one batch, or stores it in this process: below the check of a secret, as a push over HTTP it leaves one audit row.

use std::collections::BTreeMap;

use sextant_actors::domain::{KnownConnection, OPERATOR};
use uuid::Uuid;

use super::destinations::takes;
use super::error::WorkFailure;
use super::limits::{ATTEMPTS_MAX, FIRST_WAIT};
use crate::catalog::Table;
use crate::db::StoreError;
use crate::ingest::decode::{BodyFormat, Encoding};
use crate::ingest::limits::PushLimits;
use crate::ingest::{
    Prepared, PushDestination, PushRefusal, RecordOutcome, RecordProblem, Rejects, StoreFailure,
    Unreadable, note_refused, prepare,
};
use crate::intake::{BatchOutcome, FieldProblem, PushBatch, StoredBatch};
use crate::pushes::PushStore;

const TOO_LARGE: &str =
    "the record is larger than the service takes; raise INGEST_MAX_BODY_MB (docs/operating.md)";
/// The code of a refusal among the last pushes of a connection.
const REFUSED_AS: &str = "invalid";

/// What batches are stored with.
pub(super) struct BatchWriter {
    pub store: PushStore,
    pub limits: PushLimits,
}

impl BatchWriter {
    /// Validates a batch; for a connection that is not there yet as if it were.
    fn prepare(&self, to: &PushDestination, lines: &[u8]) -> Result<Prepared, Unreadable> {
        let shape = (Encoding::Identity, BodyFormat::JsonLines);
        prepare(
            lines,
            shape,
            (self.limits.body_bytes_max, &self.limits.spools),
            to,
            Rejects::Listed,
        )
    }

    /// What a batch would become in a table; nothing is stored.
    pub(super) fn check(
        &self,
        table: &'static Table,
        batch: &PushBatch,
    ) -> Result<BatchOutcome, WorkFailure> {
        let to = PushDestination {
            user: OPERATOR,
            connection: Uuid::nil(),
            table,
            zone: self.store.zone,
            now: self.store.clock.now(),
        };
        match self.prepare(&to, &batch.lines()) {
            Ok(prepared) => Ok(BatchOutcome::Stored(checked(batch, prepared))),
            Err(unreadable) => of_unreadable(unreadable),
        }
    }

    /// Stores a batch, and tries again while the database is away.
    pub(super) async fn run(
        &self,
        id: Uuid,
        batch: &PushBatch,
    ) -> Result<BatchOutcome, WorkFailure> {
        let lines = batch.lines();
        let mut wait = FIRST_WAIT;
        for attempt in 1..=ATTEMPTS_MAX {
            let snapshot = self.store.connections.snapshot();
            let known = snapshot
                .get(&id)
                .filter(|known| takes(known, &known.target));
            let Some(known) = known else {
                let reason = "its connection was paused or removed meanwhile";
                return Ok(BatchOutcome::Refused(reason.to_owned()));
            };
            match self.push_once(known, &lines).await? {
                Ok(outcome) => return Ok(outcome),
                Err(cause) if attempt == ATTEMPTS_MAX => return Err(WorkFailure::Store(cause)),
                Err(_) => tokio::time::sleep(wait).await,
            }
            wait *= 2;
        }
        Err(WorkFailure::Store(StoreError::Busy))
    }

    /// The inner error is one after which the same batch may be stored later.
    async fn push_once(
        &self,
        known: &KnownConnection,
        lines: &[u8],
    ) -> Result<Result<BatchOutcome, StoreError>, WorkFailure> {
        let _until_stored = self.store.storing.take(lines.len() as u64).await;
        let witness = self.store.open_witness(Some(known));
        let Some(to) = self.store.destination(known) else {
            let unknown = "a connection's table is not known to this version of the service";
            return Err(WorkFailure::Fault(unknown.to_owned()));
        };
        let mut prepared = match self.prepare(&to, lines) {
            Ok(prepared) => prepared,
            Err(unreadable) => {
                witness.fail().await;
                return Ok(Ok(of_unreadable(unreadable)?));
            }
        };
        prepared.sent_bytes = Some(lines.len() as u64);
        let notes = std::mem::take(&mut prepared.notes);
        let unstored = match self.store.store(&to, prepared, witness).await {
            Ok(stored) => {
                return Ok(Ok(BatchOutcome::Stored(StoredBatch {
                    outcomes: stored.outcomes.into_vec(),
                    rejected: by_index(stored.rejected),
                    notes,
                })));
            }
            Err(unstored) => unstored,
        };
        unstored.journaled.await;
        match unstored.cause {
            StoreFailure::Refused(problems) => Ok(Ok(self.refused(known, &problems).await)),
            StoreFailure::Removed => Ok(Ok(BatchOutcome::Refused(
                "its connection was removed meanwhile".to_owned(),
            ))),
            StoreFailure::Spool(Unreadable::Spool(cause)) => Err(WorkFailure::Disk(cause)),
            StoreFailure::Spool(cause) => Err(WorkFailure::Fault(cause.to_string())),
            StoreFailure::Store(cause) if may_come_back(&cause) => Ok(Err(cause)),
            StoreFailure::Store(cause) => Err(WorkFailure::Store(cause)),
        }
    }

    /// Notes a refused batch among the last pushes of its connection; the reason.
    async fn refused(&self, known: &KnownConnection, problems: &[RecordProblem]) -> BatchOutcome {
        let first = problems.first();
        let message = first.map(|problem| format!("{}: {}", problem.field, problem.message));
        let message = message.unwrap_or_else(|| "its records contradict what is stored".to_owned());
        let refusal = PushRefusal {
            error: REFUSED_AS,
            message: message.clone(),
            problem: first.cloned(),
        };
        let connection = (known.user, known.id);
        if let Err(cause) = note_refused(&self.store.pool, connection, &refusal).await {
            log::warn!("a refused batch of an upload could not be noted: {cause}");
        }
        BatchOutcome::Refused(message)
    }
}

/// What a batch would become, as far as it is known before it is stored.
fn checked(batch: &PushBatch, prepared: Prepared) -> StoredBatch {
    let mut outcomes = vec![RecordOutcome::Unchanged; batch.len()];
    for problem in &prepared.problems {
        if let Some(outcome) = outcomes.get_mut(problem.index) {
            *outcome = RecordOutcome::Rejected;
        }
    }
    StoredBatch {
        outcomes,
        rejected: by_index(prepared.problems),
        notes: prepared.notes,
    }
}

fn of_unreadable(unreadable: Unreadable) -> Result<BatchOutcome, WorkFailure> {
    match unreadable {
        Unreadable::TooLarge => Ok(BatchOutcome::TooLarge(TOO_LARGE)),
        Unreadable::Malformed(reason) => Ok(BatchOutcome::Refused(reason)),
        Unreadable::Spool(cause) => Err(WorkFailure::Disk(cause)),
    }
}

fn may_come_back(cause: &StoreError) -> bool {
    cause.is_transient() || matches!(cause, StoreError::FateUnknown { .. })
}

fn by_index(problems: Vec<RecordProblem>) -> BTreeMap<usize, Vec<FieldProblem>> {
    let mut by_index = BTreeMap::<usize, Vec<FieldProblem>>::new();
    for RecordProblem {
        index,
        field,
        message,
    } in problems
    {
        let field = Some(field);
        let problem = FieldProblem { field, message };
        by_index.entry(index).or_default().push(problem);
    }
    by_index
}
