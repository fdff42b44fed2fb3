//! One TCP connection, shared by everything that handles it: the stream that actix drives, the answers sent over it, and the edits and
//! evictions that end it.

mod cutoff;

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustix::net::{Shutdown, shutdown};
use tokio::io::{Interest, ReadBuf};
use tokio::net::TcpStream;

use super::held::{GrantEpoch, HeldBytes};
use super::limits::set_user_timeout;
use super::send_queue::{AddressPair, SendQueues};

/// One TCP connection of a port.
pub struct Socket {
    io: TcpStream,
    /// `None` if the peer was gone before the connection was served.
    addresses: Option<AddressPair>,
    queues: SendQueues,
    /// Numbers the reads and writes on all connections of the port.
    activity: Arc<AtomicU64>,
    /// How long the peer may usually acknowledge nothing.
    stall_max: Duration,
    state: Mutex<SocketState>,
}

struct SocketState {
    held: HeldBytes,
    cut: Cutoff,
    /// Whether it is being closed to make room; it no longer counts towards the port's limit.
    is_evicted: bool,
    /// Whether the FIN was sent.
    is_write_shut: bool,
    /// Requests under way.
    requests: usize,
    /// The number of its last read or write.
    last_activity: u64,
    /// How long the peer may acknowledge nothing during the present request.
    stall_max: Duration,
}

/// Whether the connection was ended from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cutoff {
    /// It was not.
    Not,
    /// It was reset, and its send queue is discarded.
    Purged,
    /// Nothing more is written; the send queue is discarded when the stream closes.
    AtClose,
}

impl Socket {
    pub(super) fn new(
        io: TcpStream,
        queues: SendQueues,
        activity: Arc<AtomicU64>,
        stall_max: Duration,
    ) -> Self {
        let addresses = io.local_addr().and_then(|own| {
            let peer = io.peer_addr()?;
            Ok(AddressPair { own, peer })
        });
        let last_activity = activity.fetch_add(1, Ordering::Relaxed);
        Self {
            io,
            addresses: addresses.ok(),
            queues,
            activity,
            stall_max,
            state: Mutex::new(SocketState {
                held: HeldBytes::default(),
                cut: Cutoff::Not,
                is_evicted: false,
                is_write_shut: false,
                requests: 0,
                last_activity,
                stall_max,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, SocketState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_activity(&self) -> u64 {
        self.activity.fetch_add(1, Ordering::Relaxed)
    }

    /// How many bytes were written and not acknowledged; `None` where the system cannot be asked. Takes the locked state, so that
    /// nothing is written meanwhile.
    fn queued(&self, state: &SocketState) -> Option<u64> {
        let Some(addresses) = self.addresses else {
            return Some(0);
        };
        let fin = u64::from(state.is_write_shut);
        let length = self.queues.length(addresses);
        length.map(|length| length.saturating_sub(fin))
    }

    /// The same, without asking the system where the connection remembers no agent's bytes.
    fn queued_of_agents(&self, state: &SocketState) -> Option<u64> {
        if state.held.is_empty() {
            return Some(0);
        }
        self.queued(state)
    }
}

/// What the stream calls.
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
            let room = buffer.remaining();
            match self.io.try_read_buf(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
                Ok(0) => return Poll::Ready(Ok(())),
                Ok(count) => {
                    if count < room {
                        self.note_drained();
                    }
                    let mut state = self.lock();
                    state.held.note_read();
                    state.last_activity = self.next_activity();
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }

    /// Notes that everything that has arrived was read, so that the next read waits for more instead of asking the system in vain.
    /// What arrives later is reported by an event of its own, which no other thread handles meanwhile.
    fn note_drained(&self) {
        let nothing = || -> io::Result<()> { Err(ErrorKind::WouldBlock.into()) };
        // It is the answer that clears the readiness.
        let _would_block = self.io.try_io(Interest::READABLE, nothing);
    }

    pub(super) fn poll_write(&self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let ready = self.io.poll_write_ready(cx);
            // Locked while it writes: nothing is written after the connection was cut.
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
                    state.last_activity = self.next_activity();
                    return Poll::Ready(Ok(count));
                }
            }
        }
    }

    /// Notes that actix has nothing left to write.
    pub(super) fn note_flushed(&self) {
        self.lock().held.note_flushed();
    }

    /// Sends a FIN, once, and says whether all bytes of agents' answers have been acknowledged. Where the system cannot be asked, they
    /// count as acknowledged.
    ///
    /// # Errors
    /// When the connection was cut, or the peer is gone.
    pub(super) fn shut_down_write(&self) -> io::Result<bool> {
        let mut state = self.lock();
        if state.cut != Cutoff::Not {
            return Err(cut_error());
        }
        if !state.is_write_shut {
            shutdown(&self.io, Shutdown::Write)?;
            state.is_write_shut = true;
        }
        let queued = self.queued_of_agents(&state);
        if queued == Some(0) {
            // So that `close` need not ask again.
            state.held.forget(queued);
        }
        Ok(queued.is_none_or(|queued| queued == 0))
    }

    pub(super) fn stall_max(&self) -> Duration {
        self.lock().stall_max
    }

    /// How many bytes the peer has acknowledged; `None` where the system cannot be asked.
    pub(super) fn acknowledged_bytes(&self) -> Option<u64> {
        let state = self.lock();
        let queued = self.queued(&state);
        queued.map(|queued| state.held.acknowledged_bytes(queued))
    }

    /// Ends the stream: discards what agents' answers left in the send queue, which cannot be done once the socket is closed.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        let queued = self.queued_of_agents(&state);
        if queued.is_some() && state.held.holds(|_| true, queued) {
            self.cut(&mut state);
        }
    }
}

/// What the answers call ([`Passage`](super::Passage)).
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

/// What the requests call ([`in_flight`](super::in_flight)).
impl Socket {
    /// Counts a request as under way.
    pub(super) fn begin_request(&self) {
        self.lock().requests += 1;
        self.allow_stall(self.stall_max);
    }

    /// Sets how long the peer may acknowledge nothing during the request under way.
    pub(super) fn allow_stall(&self, stall_max: Duration) {
        let mut state = self.lock();
        if std::mem::replace(&mut state.stall_max, stall_max) != stall_max {
            // Fails only for a connection that is gone already.
            let _gone = set_user_timeout(&self.io, stall_max);
        }
    }

    /// Counts a request as over.
    pub(super) fn end_request(&self) {
        let mut state = self.lock();
        state.requests = state.requests.saturating_sub(1);
        state.last_activity = self.next_activity();
    }
}

fn cut_error() -> io::Error {
    ErrorKind::ConnectionReset.into()
}
