//! One step of the batcher: a question to the database or to the disk, and its answer.

use std::io;
use std::sync::Arc;

use crate::audit_queue::JournalSpan;
use crate::journal::{Journal, ReadBack};
use crate::limits::FLUSH_DEADLINE;
use crate::port_calls::with_deadline;
use crate::ports::{AuditStore, Flush, Flushed, PortError};

/// What is to be done next.
pub(super) enum BatcherStep {
    /// Ask the database where the position stands.
    Locate,
    /// Let the journal begin above that.
    Begin(u64),
    /// Read what only the journal has.
    Load(JournalSpan),
    /// Write.
    Append(Flush),
}

/// The answer to a step.
pub(super) enum StepAnswer {
    Stands(u64),
    Begun,
    Loaded(JournalSpan, io::Result<ReadBack>),
    Flushed(Flushed),
}

/// Performs a step.
///
/// # Errors
/// The store's error; the caller waits, and decides the next step anew.
pub(super) async fn perform(
    store: Arc<dyn AuditStore>,
    journal: Arc<Journal>,
    step: BatcherStep,
) -> Result<StepAnswer, PortError> {
    match step {
        BatcherStep::Locate => with_deadline(FLUSH_DEADLINE, store.position(journal.id()))
            .await
            .map(StepAnswer::Stands),
        BatcherStep::Begin(position) => {
            blocking(move || journal.begin(position)).await?;
            Ok(StepAnswer::Begun)
        }
        BatcherStep::Load(span) => {
            let read = blocking(move || journal.read(span)).await?;
            Ok(StepAnswer::Loaded(span, read))
        }
        BatcherStep::Append(flush) => with_deadline(FLUSH_DEADLINE, store.append(flush))
            .await
            .map(StepAnswer::Flushed),
    }
}

/// Runs on the blocking pool, for work that waits for the disk.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PortError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| PortError::Unavailable("reading the journal broke off".to_owned()))
}
