//! One connection, shared by all that handle it: the stream under actix, the answers that go over it, and what ends it from outside.

mod cutoff;

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustix::net::{Shutdown, shutdown};
use tokio::io::ReadBuf;
use tokio::net::TcpStream;

use super::held::{GrantEpoch, HeldBytes};
use super::limits::give_up_after;
use super::send_queue::{self, AddressPair};

/// A connection.
pub struct Socket {
    io: TcpStream,
    /// None of one whose other end was gone before it was served.
    ends: Option<AddressPair>,
    /// Counts the movements on all connections of the port.
    movements: Arc<AtomicU64>,
    /// How long the other end may usually take nothing.
    stall_max: Duration,
    state: Mutex<SocketState>,
}

struct SocketState {
    held: HeldBytes,
    cut: Cutoff,
    /// It is closed in favour of another, and counts no more.
    is_evicted: bool,
    /// The end of what is sent was sent.
    is_shut: bool,
    /// Requests under way.
    requests: usize,
    /// The number of the last movement on it.
    moved: u64,
    /// How long it may take nothing now.
    stall_max: Duration,
}

/// Whether anything goes over it still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cutoff {
    /// It does.
    Not,
    /// Nothing does, and the send queue is empty.
    Purged,
    /// Nothing more is written; the send queue is thrown away when the stream closes it.
    AtClose,
}

impl Socket {
    pub(super) fn new(io: TcpStream, movements: Arc<AtomicU64>, stall_max: Duration) -> Self {
        let ends = io.local_addr().and_then(|own| {
            let peer = io.peer_addr()?;
            Ok(AddressPair { own, peer })
        });
        let moved = movements.fetch_add(1, Ordering::Relaxed);
        Self {
            io,
            ends: ends.ok(),
            movements,
            stall_max,
            state: Mutex::new(SocketState {
                held: HeldBytes::default(),
                cut: Cutoff::Not,
                is_evicted: false,
                is_shut: false,
                requests: 0,
                moved,
                stall_max,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, SocketState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_movement(&self) -> u64 {
        self.movements.fetch_add(1, Ordering::Relaxed)
    }

    /// What was written and not acknowledged. Asked with the state locked, so that nothing is written meanwhile.
    fn queued(&self, state: &SocketState) -> Option<u64> {
        let Some(ends) = self.ends else {
            return Some(0);
        };
        let end = u64::from(state.is_shut);
        send_queue::length(ends).map(|length| length.saturating_sub(end))
    }

    /// The same, without asking for it where no agent was ever answered.
    fn queued_of_agents(&self, state: &SocketState) -> Option<u64> {
        if state.held.is_empty() {
            return Some(0);
        }
        self.queued(state)
    }
}

/// For the stream.
impl Socket {
    pub(super) fn poll_read(
        &self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            let ready = self.io.poll_read_ready(cx);
            if self.lock().cut != Cutoff::Not {
                return Poll::Ready(Err(cut_error()));
            }
            ready!(ready)?;
            match self.io.try_read_buf(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
                Ok(0) => return Poll::Ready(Ok(())),
                Ok(_) => {
                    let mut state = self.lock();
                    state.held.note_read();
                    state.moved = self.next_movement();
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }

    pub(super) fn poll_write(&self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let ready = self.io.poll_write_ready(cx);
            // Locked while it writes: once a cut has the lock, nothing is written after it.
            let mut state = self.lock();
            if state.cut != Cutoff::Not {
                return Poll::Ready(Err(cut_error()));
            }
            ready!(ready)?;
            match self.io.try_write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
                Ok(count) => {
                    state.held.note_written(count);
                    state.moved = self.next_movement();
                    return Poll::Ready(Ok(count));
                }
            }
        }
    }

    /// actix has nothing left to write.
    pub(super) fn note_flushed(&self) {
        self.lock().held.note_flushed();
    }

    /// Sends the end of what is sent, once; whether it has been taken, with all that agents' answers gave before it. Where that
    /// cannot be told, it counts as taken.
    ///
    /// # Errors
    /// When it was cut, or the other end is gone.
    pub(super) fn shut(&self) -> io::Result<bool> {
        let mut state = self.lock();
        if state.cut != Cutoff::Not {
            return Err(cut_error());
        }
        if !state.is_shut {
            shutdown(&self.io, Shutdown::Write)?;
            state.is_shut = true;
        }
        let queued = self.queued_of_agents(&state);
        Ok(queued.is_none_or(|queued| queued == 0))
    }

    pub(super) fn stall_max(&self) -> Duration {
        self.lock().stall_max
    }

    /// How many bytes the other end has taken; none where that cannot be told.
    pub(super) fn taken(&self) -> Option<u64> {
        let state = self.lock();
        self.queued(&state).map(|queued| state.held.taken(queued))
    }

    /// The stream ends. What agents' answers left in the queue is thrown away, which cannot be done later.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        let queued = self.queued_of_agents(&state);
        if queued.is_some() && state.held.holds(|_| true, queued) {
            self.cut(&mut state);
        }
    }
}

/// For the answers.
impl Socket {
    pub(super) fn begin(&self, grant: &GrantEpoch) {
        let mut state = self.lock();
        if state.held.is_of_others(grant) {
            let queued = self.queued(&state);
            state.held.forget(queued);
        }
        state.held.begin(grant);
    }

    pub(super) fn pass(&self, grant: &GrantEpoch) {
        self.lock().held.pass(grant);
    }

    pub(super) fn end(&self, grant: &GrantEpoch) {
        self.lock().held.end(grant);
    }
}

/// For the requests.
impl Socket {
    /// A request is under way.
    pub(super) fn attend(&self) {
        self.lock().requests += 1;
        self.allow_stall(self.stall_max);
    }

    /// Allows the other end of the request under way to take nothing for so long.
    pub(super) fn allow_stall(&self, stall_max: Duration) {
        let mut state = self.lock();
        if std::mem::replace(&mut state.stall_max, stall_max) != stall_max {
            // A connection that is gone cannot be told; nor does it matter.
            let _gone = give_up_after(&self.io, stall_max);
        }
    }

    pub(super) fn leave(&self) {
        let mut state = self.lock();
        state.requests = state.requests.saturating_sub(1);
        state.moved = self.next_movement();
    }
}

fn cut_error() -> io::Error {
    ErrorKind::ConnectionReset.into()
}
