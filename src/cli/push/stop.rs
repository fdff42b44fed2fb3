//! Ctrl-C: what is under way is answered and told, then the push ends. A second one ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{Signal, raise};

/// Whether Ctrl-C was pressed.
#[derive(Debug, Clone, Default)]
pub(super) struct StopRequest(Arc<AtomicBool>);

impl StopRequest {
    /// Listens to Ctrl-C as long as the runtime lives.
    pub(super) fn on_interrupt() -> Self {
        let stop = Self::default();
        let asked = stop.clone();
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                if asked.0.swap(true, Ordering::Relaxed) {
                    let _ends = raise(Signal::SIGTERM);
                }
            }
        });
        stop
    }

    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once a stop was requested, which ends a file's reader.
    pub(super) fn check(&self) -> io::Result<()> {
        match self.is_asked() {
            true => Err(io::Error::other("it was stopped")),
            false => Ok(()),
        }
    }
}
