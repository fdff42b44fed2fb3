//! How a connection is ended from outside: by an edit of a grant, or to make room for another.

use std::io;
use std::time::Duration;

use rustix::net::{Shutdown, shutdown, sockopt};
use tokio::net::TcpStream;

use super::{Cutoff, Socket, SocketState};
use crate::http::wire::held::GrantEpoch;

/// The order in which connections are closed to make room: the least goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EvictionRank {
    is_busy: bool,
    last_activity: u64,
}

impl Socket {
    /// Whether it may still hold bytes of a grant for which `is_meant` is true.
    pub(in crate::http::wire) fn holds(&self, is_meant: impl Fn(&GrantEpoch) -> bool) -> bool {
        let state = self.lock();
        // The system is asked only about connections that were given any.
        let given = |queued| state.held.holds(&is_meant, queued);
        state.cut != Cutoff::Purged && given(Some(u64::MAX)) && given(self.queued(&state))
    }

    /// Resets it: what waits in the system's send queue is discarded at once, and what waits in actix's buffer is never written.
    pub(in crate::http::wire) fn reset(&self) {
        self.cut(&mut self.lock());
    }

    pub(super) fn cut(&self, state: &mut SocketState) {
        if state.cut != Cutoff::Not {
            return;
        }
        state.cut = if purge(&self.io).is_ok() {
            Cutoff::Purged
        } else {
            // The shutdown wakes the stream, and actix then closes it.
            let _gone = sockopt::set_socket_linger(&self.io, Some(Duration::ZERO));
            let _gone = shutdown(&self.io, Shutdown::Both);
            Cutoff::AtClose
        };
    }

    /// Whether it was reset and its send queue is discarded.
    pub(in crate::http::wire) fn is_purged(&self) -> bool {
        self.lock().cut == Cutoff::Purged
    }

    /// Whether it is being closed to make room for another.
    pub(in crate::http::wire) fn is_evicted(&self) -> bool {
        self.lock().is_evicted
    }

    /// Its place in the order of eviction.
    pub(in crate::http::wire) fn eviction_rank(&self) -> EvictionRank {
        let state = self.lock();
        EvictionRank {
            is_busy: state.requests > 0,
            last_activity: state.last_activity,
        }
    }

    /// Ends it to make room for another: an idle connection as if the client had ended it, any other with a reset.
    pub(in crate::http::wire) fn evict(&self) {
        let mut state = self.lock();
        state.is_evicted = true;
        let queued = self.queued_of_agents(&state);
        if state.requests > 0 || state.held.holds(|_| true, queued) {
            self.cut(&mut state);
        } else {
            let _gone = shutdown(&self.io, Shutdown::Read);
        }
    }
}

/// Discards the send queue and sends a reset to the peer, at once (`connect` to `AF_UNSPEC`).
#[cfg(target_os = "linux")]
fn purge(io: &TcpStream) -> io::Result<()> {
    Ok(rustix::net::connect_unspec(io)?)
}

#[cfg(not(target_os = "linux"))]
fn purge(_: &TcpStream) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
