//! Stands between the service and its real PostgreSQL, and fails as networks and databases do, when a test says so.
//!
//! It reads the frames of the protocol and nothing more of it: which statement a message runs, which transaction a
//! COMMIT ends, which answer belongs to which request. Everything that no fault was asked for passes unchanged.

mod conversation;
mod fault;
mod wire;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::AbortHandle;

pub use fault::{Act, Fault, When};

use super::cluster::runtime;
use conversation::converse;

/// How the way to the database is as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Open,
    /// Connections are accepted, bytes are taken, nothing is answered.
    Frozen,
    /// New connections are closed at once.
    Closed,
}

/// What all connections through the proxy share.
struct Board {
    server: PathBuf,
    way: watch::Sender<Way>,
    /// Connections older than this are cut.
    generation: watch::Sender<u64>,
    /// How many there are.
    connections: watch::Sender<usize>,
    faults: Mutex<Vec<Arc<Fault>>>,
}

impl Board {
    /// The fault that strikes this request, if any is left that does.
    fn strike(&self, request: &wire::Request<'_>) -> Option<Arc<Fault>> {
        let faults = self.faults.lock().unwrap();
        faults.iter().find(|fault| fault.strikes(request)).cloned()
    }

    /// Returns when messages pass again.
    async fn passable(&self) {
        let mut way = self.way.subscribe();
        // The board outlives every conversation.
        let _ = way.wait_for(|way| *way != Way::Frozen).await;
    }
}

/// A way to the database with faults in it.
pub struct PostgresProxy {
    address: SocketAddr,
    board: Arc<Board>,
    accepting: AbortHandle,
}

impl PostgresProxy {
    /// Before the server whose socket lies in this directory.
    pub async fn before(socket_dir: &Path) -> Self {
        let board = Arc::new(Board {
            server: socket_dir.join(".s.PGSQL.5432"),
            way: watch::Sender::new(Way::Open),
            generation: watch::Sender::new(0),
            connections: watch::Sender::new(0),
            faults: Mutex::default(),
        });
        let listening = runtime().spawn(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
        let listener = listening.await.unwrap().unwrap();
        let address = listener.local_addr().unwrap();
        let accepting = runtime().spawn(accept(listener, Arc::clone(&board)));
        Self {
            address,
            board,
            accepting: accepting.abort_handle(),
        }
    }

    /// As `DATABASE_URL`.
    pub fn url(&self, user: &str, database: &str) -> String {
        format!("postgres://{user}@{}/{database}", self.address)
    }

    /// From now on this happens at the next `times` requests that it is about.
    pub fn inject(&self, when: When, act: Act, times: usize) -> Arc<Fault> {
        let fault = Arc::new(Fault::new(when, act, times));
        self.board.faults.lock().unwrap().push(Arc::clone(&fault));
        fault
    }

    /// Nothing is answered any more, until [`Self::mend`].
    pub fn freeze(&self) {
        self.board.way.send_replace(Way::Frozen);
    }

    /// Every connection is cut, and new ones are refused, until [`Self::mend`].
    pub fn take_away(&self) {
        self.board.way.send_replace(Way::Closed);
        self.board.generation.send_modify(|number| *number += 1);
    }

    /// The same, and nothing passes any more when this returns.
    pub async fn be_gone(&self) {
        self.take_away();
        let mut connections = self.board.connections.subscribe();
        // The board outlives every conversation.
        let _ = connections.wait_for(|connections| *connections == 0).await;
    }

    /// The way is open again, and no fault is left.
    pub fn mend(&self) {
        self.board.faults.lock().unwrap().clear();
        self.board.way.send_replace(Way::Open);
    }
}

impl Drop for PostgresProxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.board.generation.send_modify(|number| *number += 1);
    }
}

async fn accept(listener: TcpListener, board: Arc<Board>) {
    loop {
        let (client, _) = listener.accept().await.unwrap();
        // Before the way is looked at, so that a cut between the two is not missed.
        let mut generation = board.generation.subscribe();
        board.connections.send_modify(|count| *count += 1);
        if *board.way.borrow() == Way::Closed {
            board.connections.send_modify(|count| *count -= 1);
            continue;
        }
        let board = Arc::clone(&board);
        tokio::spawn(async move {
            let talk = converse(client, Arc::clone(&board));
            // Either end hung up, or the test cut the line.
            tokio::select! {
                _ended = talk => {}
                _cut = generation.changed() => {}
            }
            board.connections.send_modify(|count| *count -= 1);
        });
    }
}
