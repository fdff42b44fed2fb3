//! Connections that many reads share at one time: one for each thread that serves calls, driven on that thread. What is asked while
//! another statement runs is sent at once and answered in order, so that no read waits for a connection.
//!
//! Nothing on such a connection is cancelled, since a cancel request might hit a neighbour's statement; a short time limit ends
//! what is slow instead. Whoever gets no turn here, or no answer, asks on a connection of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Connect as _};
use tokio::runtime::Handle;
use tokio::time::sleep;
use tokio_postgres::Config;

use super::connect::CONNECT_TIMEOUT;
use super::pool::Dialer;
use super::process_mark::APPLICATION_NAME;
use crate::capacity::{Slot, Slots};

/// The time limit of a statement on a shared connection: at most so long it delays those behind it.
pub(super) const PIPED_STATEMENT_TIMEOUT: Duration = Duration::from_millis(250);
/// How many reads may be under way on one connection.
const READS_AT_ONCE_MAX: usize = 32;
/// How long after a failed attempt the connection is not opened again.
const REOPEN_WAIT: Duration = Duration::from_millis(500);

/// The shared connections. Clones share them.
#[derive(Clone)]
pub struct Pipes(Arc<SharedPipes>);

struct SharedPipes {
    config: Config,
    dialer: Dialer,
    pipes_max: usize,
    /// Those of the threads that have read; `None` after the stop.
    threads: Mutex<Option<HashMap<ThreadId, Pipe>>>,
}

enum Pipe {
    /// Being opened, or not to be opened for now.
    Opening,
    Open {
        client: Arc<ClientWrapper>,
        turns: Slots,
    },
}

/// The right to one read on a shared connection. It is to be held until the answer has arrived, also when nobody waits for it.
pub struct PipeTurn {
    pipes: Pipes,
    thread: ThreadId,
    client: Arc<ClientWrapper>,
    _turn: Slot,
}

impl Pipes {
    /// None is open yet; `dialer` opens them on the runtime of their thread.
    pub(super) fn new(mut config: Config, dialer: Dialer, pipes_max: usize) -> Self {
        config
            .application_name(APPLICATION_NAME)
            .connect_timeout(CONNECT_TIMEOUT);
        Self(Arc::new(SharedPipes {
            config,
            dialer,
            pipes_max,
            threads: Mutex::new(Some(HashMap::new())),
        }))
    }

    /// A turn on this thread's connection. `None` when as many reads as may be are under way there, or it is not open: then its
    /// opening begins, which nobody waits for.
    pub fn take_turn(&self) -> Option<PipeTurn> {
        let thread = thread::current().id();
        let mut locked = self.threads();
        let threads = locked.as_mut()?;
        match threads.get(&thread) {
            Some(Pipe::Opening) => None,
            Some(Pipe::Open { client, turns }) if !client.is_closed() => {
                let turn = turns.try_take()?;
                Some(PipeTurn {
                    pipes: self.clone(),
                    thread,
                    client: Arc::clone(client),
                    _turn: turn,
                })
            }
            Some(Pipe::Open { .. }) | None => {
                // That of a thread which has ended is closed, too.
                threads.retain(|_, pipe| !pipe.is_closed());
                if threads.len() < self.0.pipes_max {
                    threads.insert(thread, Pipe::Opening);
                    drop(locked);
                    self.open(thread);
                }
                None
            }
        }
    }

    fn open(&self, thread: ThreadId) {
        let opening = Opening {
            pipes: self.clone(),
            thread,
        };
        // Outside a runtime nothing is opened, and the guard forgets the attempt.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(opening.open());
        }
    }

    /// Closes all of them when their reads have ended, and opens none any more.
    pub(super) fn close(&self) {
        *self.threads() = None;
    }

    fn threads(&self) -> MutexGuard<'_, Option<HashMap<ThreadId, Pipe>>> {
        self.0
            .threads
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pipe {
    fn is_closed(&self) -> bool {
        matches!(self, Pipe::Open { client, .. } if client.is_closed())
    }
}

impl PipeTurn {
    /// The connection, on which others read too.
    pub fn client(&self) -> &ClientWrapper {
        &self.client
    }

    /// Has later reads open another connection: this one does not answer.
    pub fn replace_connection(&self) {
        let mut locked = self.pipes.threads();
        let Some(threads) = locked.as_mut() else {
            return;
        };
        let is_this = |pipe: &Pipe| matches!(pipe, Pipe::Open { client, .. } if Arc::ptr_eq(client, &self.client));
        if threads.get(&self.thread).is_some_and(is_this) {
            threads.remove(&self.thread);
        }
    }
}

/// An attempt to open a thread's connection; while there is one, no other begins.
struct Opening {
    pipes: Pipes,
    thread: ThreadId,
}

impl Opening {
    async fn open(self) {
        let parts = &self.pipes.0;
        match parts.dialer.connect(&parts.config).await {
            Ok((client, driver)) => {
                let open = Pipe::Open {
                    client: Arc::new(ClientWrapper::new(client, driver)),
                    turns: Slots::new(READS_AT_ONCE_MAX),
                };
                if let Some(threads) = self.pipes.threads().as_mut() {
                    threads.insert(self.thread, open);
                }
            }
            Err(error) => {
                log::debug!("a shared connection was not opened: {error}");
                sleep(REOPEN_WAIT).await;
            }
        }
    }
}

impl Drop for Opening {
    /// Also when the thread ends meanwhile.
    fn drop(&mut self) {
        if let Some(threads) = self.pipes.threads().as_mut()
            && matches!(threads.get(&self.thread), Some(Pipe::Opening))
        {
            threads.remove(&self.thread);
        }
    }
}
