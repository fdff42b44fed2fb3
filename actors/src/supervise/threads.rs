//! The thread of the actors. Calls do not run on it: they run in the futures of their callers.

use std::io;

use actix_rt::{Arbiter, ArbiterHandle};

/// The thread of the tree's actors: no agent's work runs on it.
pub struct Threads {
    shared: ArbiterHandle,
    /// Whether the thread is the tree's own, and ends with it.
    is_owned: bool,
}

impl Threads {
    /// A thread of the tree's own, which ends when the tree is dropped.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    ///
    /// # Panics
    /// Outside an `actix_rt::System`.
    pub fn own() -> io::Result<Self> {
        Ok(Self {
            shared: Arbiter::try_new()?.handle(),
            is_owned: true,
        })
    }

    /// Everything on the caller's own thread: one runtime, one clock of timers, as tests with paused time need it.
    ///
    /// # Panics
    /// Outside an `actix_rt::System`.
    pub fn here() -> Self {
        Self {
            shared: Arbiter::current(),
            is_owned: false,
        }
    }

    /// The same thread, which does not end with what is returned.
    pub(crate) fn borrowed(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            is_owned: false,
        }
    }

    pub(crate) fn shared(&self) -> &ArbiterHandle {
        &self.shared
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if self.is_owned {
            self.shared.stop();
        }
    }
}
