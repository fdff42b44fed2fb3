//! Whether the database was away while a source was asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sextant_connectors::failure::{FailureKind, SourceFailure};

/// Noted by what a source is asked with: a failure says nothing of the source then. Each copy is the same one.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoreAway(Arc<AtomicBool>);

impl StoreAway {
    /// Whether it was, since this was asked last.
    pub(crate) fn take(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }

    /// It was: what the source is told to have failed by.
    pub(crate) fn note(&self) -> SourceFailure {
        self.0.store(true, Ordering::SeqCst);
        SourceFailure::new(FailureKind::Unavailable, "the database is away")
    }
}
