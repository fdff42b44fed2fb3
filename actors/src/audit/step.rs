//! One step of the batcher: a question to the database or to the disk, and its answer.

use std::io;
use std::sync::Arc;

use crate::journal::{Journal, Read};
use crate::limits::FLUSH_DEADLINE;
use crate::ports::{AuditStore, Flush, Flushed, StoreError, bounded};
use crate::queue::Span;

/// What is to be done next.
pub(super) enum Step {
    /// Ask the database where the position stands.
    Locate,
    /// Let the journal begin above that.
    Begin(u64),
    /// Read what only the journal has.
    Load(Span),
    /// Write.
    Append(Flush),
}

/// What came of it.
pub(super) enum Answer {
    Stands(u64),
    Begun,
    Loaded(Span, io::Result<Read>),
    Flushed(Flushed),
}

/// Does it.
///
/// # Errors
/// What the database says; a wait, and then the next step is decided anew.
pub(super) async fn perform(
    store: Arc<dyn AuditStore>,
    journal: Arc<Journal>,
    step: Step,
) -> Result<Answer, StoreError> {
    match step {
        Step::Locate => bounded(FLUSH_DEADLINE, store.position(journal.id()))
            .await
            .map(Answer::Stands),
        Step::Begin(position) => {
            blocking(move || journal.begin(position)).await?;
            Ok(Answer::Begun)
        }
        Step::Load(span) => {
            let read = blocking(move || journal.read(span)).await?;
            Ok(Answer::Loaded(span, read))
        }
        Step::Append(flush) => bounded(FLUSH_DEADLINE, store.append(flush))
            .await
            .map(Answer::Flushed),
    }
}

/// On a thread where waiting for the disk is no harm.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| StoreError::Unavailable("reading the journal broke off".to_owned()))
}
