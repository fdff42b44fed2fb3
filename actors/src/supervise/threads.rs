//! The threads of the actors. Calls do not run on them: they run in the futures of their callers.

use std::io;

use actix_rt::{Arbiter, ArbiterHandle};

use crate::limits::WORKER_THREADS;

/// The threads of the tree's actors: no agent's work runs on them.
pub struct Threads {
    shared: ArbiterHandle,
    /// For actors whose own work is long.
    workers: Vec<ArbiterHandle>,
    /// Whether the threads are the tree's own, and end with it.
    is_owned: bool,
}

impl Threads {
    /// Threads of the tree's own, which end when the tree is dropped.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    ///
    /// # Panics
    /// Outside an `actix_rt::System`.
    pub fn own() -> io::Result<Self> {
        let mut threads = Self {
            shared: Arbiter::try_new()?.handle(),
            workers: Vec::new(),
            is_owned: true,
        };
        for _ in 0..WORKER_THREADS {
            threads.workers.push(Arbiter::try_new()?.handle());
        }
        Ok(threads)
    }

    /// Everything on the caller's own thread: one runtime, one clock of timers, as tests with paused time need it.
    ///
    /// # Panics
    /// Outside an `actix_rt::System`.
    pub fn here() -> Self {
        Self {
            shared: Arbiter::current(),
            workers: Vec::new(),
            is_owned: false,
        }
    }

    /// The same threads, which do not end with what is returned.
    pub(crate) fn borrowed(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            workers: self.workers.clone(),
            is_owned: false,
        }
    }

    /// The thread for an actor whose own work is long, and must not hold up the others; `number` spreads them.
    pub(crate) fn worker(&self, number: u128) -> &ArbiterHandle {
        let count = self.workers.len().max(1) as u128;
        // A remainder of a number of threads is one of them.
        let place = usize::try_from(number % count).unwrap_or_default();
        self.workers.get(place).unwrap_or(&self.shared)
    }

    pub(crate) fn shared(&self) -> &ArbiterHandle {
        &self.shared
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if self.is_owned {
            for thread in self.workers.iter().chain([&self.shared]) {
                thread.stop();
            }
        }
    }
}
