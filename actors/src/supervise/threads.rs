//! Where actors run.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix_rt::{Arbiter, ArbiterHandle};

use crate::limits::SESSION_THREADS;

/// The threads of the tree: one for the house's own actors, several for sessions, so that no agent's work holds up the house.
pub struct Threads {
    house: ArbiterHandle,
    sessions: Arc<Spread>,
    owned: Vec<ArbiterHandle>,
}

/// Hands out threads in turn.
pub(crate) struct Spread {
    threads: Vec<ArbiterHandle>,
    next: AtomicUsize,
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
        let house = Arbiter::try_new()?.handle();
        let sessions = (0..SESSION_THREADS)
            .map(|_| Arbiter::try_new().map(|arbiter| arbiter.handle()))
            .collect::<io::Result<Vec<_>>>()?;
        let owned = sessions.iter().cloned().chain([house.clone()]).collect();
        Ok(Self::over(house, sessions, owned))
    }

    /// Everything on the caller's own thread: one runtime, one clock of timers, as tests with paused time need it.
    ///
    /// # Panics
    /// Outside an `actix_rt::System`.
    pub fn here() -> Self {
        let here = Arbiter::current();
        Self::over(here.clone(), vec![here], Vec::new())
    }

    fn over(house: ArbiterHandle, sessions: Vec<ArbiterHandle>, owned: Vec<ArbiterHandle>) -> Self {
        let sessions = Arc::new(Spread {
            threads: sessions,
            next: AtomicUsize::new(0),
        });
        Self {
            house,
            sessions,
            owned,
        }
    }

    pub(crate) fn house(&self) -> &ArbiterHandle {
        &self.house
    }

    pub(crate) fn sessions(&self) -> Arc<Spread> {
        Arc::clone(&self.sessions)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        for thread in &self.owned {
            thread.stop();
        }
    }
}

impl Spread {
    /// The thread whose turn it is; `None` only when there are none.
    pub(crate) fn next(&self) -> Option<&ArbiterHandle> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        self.threads.get(turn.checked_rem(self.threads.len())?)
    }
}
