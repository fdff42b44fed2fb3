//! The connections of one port: how many there are, and which is closed to make room for a new one.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::net::TcpStream;

use super::limits;
use super::send_queue::SendQueues;
use super::socket::Socket;

/// Connections that may be closing beside those that count towards the limit.
const EVICTED_MAX: usize = 16;

/// What happens to a new connection when the port has as many as it may have.
#[derive(Clone, Copy, Debug)]
pub enum WhenFull {
    /// It waits until one of this many ends.
    Waits(usize),
    /// One of this many is closed to make room.
    Evicts(usize),
}

/// The connections of one port.
#[derive(Clone)]
pub struct PortSockets(Arc<PortState>);

/// Counts one connection of the port until it is dropped.
pub(super) struct SocketCount {
    sockets: PortSockets,
    number: u64,
}

struct PortState {
    full: WhenFull,
    stall_max: Duration,
    sockets: Mutex<HashMap<u64, Weak<Socket>>>,
    numbers: AtomicU64,
    /// Numbers the reads and writes on all connections of the port, in their order.
    activity: Arc<AtomicU64>,
    queues: SendQueues,
}

impl PortSockets {
    /// No connections yet. Each peer may acknowledge nothing for `stall_max`.
    pub fn new(full: WhenFull, stall_max: Duration) -> Self {
        Self(Arc::new(PortState {
            full,
            stall_max,
            sockets: Mutex::default(),
            numbers: AtomicU64::new(0),
            activity: Arc::default(),
            queues: SendQueues::default(),
        }))
    }

    /// The most connections that each of this many threads may have at one time, those that are closing included.
    pub fn per_worker_max(&self, workers: usize) -> usize {
        match self.0.full {
            WhenFull::Waits(max) => max / workers,
            WhenFull::Evicts(max) => (max + EVICTED_MAX).div_ceil(workers),
        }
    }

    /// Sets the options of this listener that its connections inherit: the size of the send buffer and the stall limit.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn set_options(&self, listener: &TcpListener) -> std::io::Result<()> {
        limits::set_options(listener, self.0.stall_max)
    }

    /// Takes a connection in, closing another to make room if need be, so that every new connection is served. It counts until the
    /// returned count is dropped.
    pub(super) fn admit(&self, io: TcpStream) -> (Arc<Socket>, SocketCount) {
        let inner = &self.0;
        let socket = Arc::new(Socket::new(
            io,
            inner.queues.clone(),
            inner.activity.clone(),
            inner.stall_max,
        ));
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

    /// All that are open, also those that are closing.
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

/// Closes, of the connections without a request under way, the one that was read or written least recently; if each has a request,
/// the one among all.
fn make_room(sockets: &HashMap<u64, Weak<Socket>>, max: usize) {
    let counted =
        (sockets.values().filter_map(Weak::upgrade)).filter(|socket| !socket.is_evicted());
    let counted: Vec<Arc<Socket>> = counted.collect();
    let least = counted.iter().min_by_key(|socket| socket.eviction_rank());
    if let Some(least) = least.filter(|_| counted.len() >= max) {
        least.evict();
    }
}
