//! The request that files are loaded no further: what is under way is answered, then loading ends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody asked for the end. Clones are one request.
#[derive(Debug, Clone, Default)]
pub(crate) struct StopRequest(Arc<AtomicBool>);

impl StopRequest {
    /// Asks for the end; whether that had been asked for already.
    pub(crate) fn ask(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once a stop was requested, which ends a file's reader.
    pub(crate) fn check(&self) -> io::Result<()> {
        match self.is_asked() {
            true => Err(io::Error::other("it was stopped")),
            false => Ok(()),
        }
    }
}
