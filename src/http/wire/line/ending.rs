//! How a connection is ended from outside: by an edit of a grant, or in favour of another.

use std::io;
use std::time::Duration;

use rustix::net::{Shutdown, shutdown, sockopt};
use tokio::net::TcpStream;

use super::{Cut, Line, State};
use crate::http::wire::held::Owner;

/// Which connection is closed in favour of another: the least goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EvictionRank {
    is_busy: bool,
    moved: u64,
}

impl Line {
    /// Whether it may still hold bytes of a grant that is meant.
    pub(in crate::http::wire) fn holds(&self, is_meant: impl Fn(&Owner) -> bool) -> bool {
        let state = self.lock();
        // The system is asked about those alone that were given any.
        let given = |queued| state.held.holds(&is_meant, queued);
        state.cut != Cut::Purged && given(Some(u64::MAX)) && given(self.queued(&state))
    }

    /// Resets it: what waits in the system's queue is thrown away at once, and what waits in actix's is never written.
    pub(in crate::http::wire) fn reset(&self) {
        self.cut_off(&mut self.lock());
    }

    pub(super) fn cut_off(&self, state: &mut State) {
        if state.cut != Cut::Not {
            return;
        }
        state.cut = if purge(&self.io).is_ok() {
            Cut::Purged
        } else {
            // The shutdown wakes the stream, whose actix then closes it.
            let _gone = sockopt::set_socket_linger(&self.io, Some(Duration::ZERO));
            let _gone = shutdown(&self.io, Shutdown::Both);
            Cut::AtClose
        };
    }

    /// Whether it was reset, and its queue is there no more.
    pub(in crate::http::wire) fn is_purged(&self) -> bool {
        self.lock().cut == Cut::Purged
    }

    pub(in crate::http::wire) fn is_evicted(&self) -> bool {
        self.lock().is_evicted
    }

    pub(in crate::http::wire) fn eviction_rank(&self) -> EvictionRank {
        let state = self.lock();
        EvictionRank {
            is_busy: state.requests > 0,
            moved: state.moved,
        }
    }

    /// Ends it in favour of another: one that is idle as if the client had ended it, any other with a reset.
    pub(in crate::http::wire) fn evict(&self) {
        let mut state = self.lock();
        state.is_evicted = true;
        let queued = self.queued_of_agents(&state);
        if state.requests > 0 || state.held.holds(|_| true, queued) {
            self.cut_off(&mut state);
        } else {
            let _gone = shutdown(&self.io, Shutdown::Read);
        }
    }
}

/// Throws the send queue away and tells the other end so, at once.
#[cfg(target_os = "linux")]
fn purge(io: &TcpStream) -> io::Result<()> {
    Ok(rustix::net::connect_unspec(io)?)
}

#[cfg(not(target_os = "linux"))]
fn purge(_: &TcpStream) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
