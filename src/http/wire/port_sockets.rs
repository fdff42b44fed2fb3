//! The connections of one port: how many there are, and which of them is closed in favour of another.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::net::TcpStream;

use super::limits;
use super::socket::Socket;

/// Connections that may be closing beside those that count.
const EVICTED_MAX: usize = 16;

/// What becomes of a connection that is one too many.
#[derive(Clone, Copy, Debug)]
pub enum WhenFull {
    /// It waits until one of so many ends.
    Waits(usize),
    /// One of so many is closed in its favour.
    Evicts(usize),
}

/// A port's connections.
#[derive(Clone)]
pub struct PortSockets(Arc<PortState>);

/// One connection of the port, counted until this is dropped.
pub(super) struct SocketCount {
    sockets: PortSockets,
    number: u64,
}

struct PortState {
    full: WhenFull,
    stall_max: Duration,
    sockets: Mutex<HashMap<u64, Weak<Socket>>>,
    numbers: AtomicU64,
    movements: Arc<AtomicU64>,
}

impl PortSockets {
    /// None yet. The other end of each may take nothing for `stall_max`.
    pub fn new(full: WhenFull, stall_max: Duration) -> Self {
        Self(Arc::new(PortState {
            full,
            stall_max,
            sockets: Mutex::default(),
            numbers: AtomicU64::new(0),
            movements: Arc::default(),
        }))
    }

    /// What each of so many threads may have at one time: all that count, and those that are about to close.
    pub fn per_worker_max(&self, workers: usize) -> usize {
        match self.0.full {
            WhenFull::Waits(max) => max / workers,
            WhenFull::Evicts(max) => (max + EVICTED_MAX).div_ceil(workers),
        }
    }

    /// Bounds what the system holds for connections of this listener.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn bound(&self, listener: &TcpListener) -> std::io::Result<()> {
        limits::bound(listener, self.0.stall_max)
    }

    /// Takes a connection in, if need be in place of another, so that every one that comes is served. It counts until what is returned with it is
    /// dropped.
    pub(super) fn admit(&self, io: TcpStream) -> (Arc<Socket>, SocketCount) {
        let inner = &self.0;
        let socket = Arc::new(Socket::new(io, inner.movements.clone(), inner.stall_max));
        let number = inner.numbers.fetch_add(1, Ordering::Relaxed);
        let mut sockets = self.lock();
        if let WhenFull::Evicts(max) = inner.full
            && sockets.len() >= max
        {
            make_room(&sockets, max);
        }
        sockets.insert(number, Arc::downgrade(&socket));
        drop(sockets);
        let counted = SocketCount {
            sockets: self.clone(),
            number,
        };
        (socket, counted)
    }

    pub(super) fn all(&self) -> Vec<Arc<Socket>> {
        self.lock().values().filter_map(Weak::upgrade).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Weak<Socket>>> {
        self.0
            .sockets
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SocketCount {
    fn drop(&mut self) {
        self.sockets.lock().remove(&self.number);
    }
}

/// Of the connections without a request under way the one on which nothing has moved for the longest is closed; only if there is none,
/// the same among all.
fn make_room(sockets: &HashMap<u64, Weak<Socket>>, max: usize) {
    let counted =
        (sockets.values().filter_map(Weak::upgrade)).filter(|socket| !socket.is_evicted());
    let counted: Vec<Arc<Socket>> = counted.collect();
    let least = counted.iter().min_by_key(|socket| socket.eviction_rank());
    if let Some(least) = least.filter(|_| counted.len() >= max) {
        least.evict();
    }
}
