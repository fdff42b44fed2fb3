//! A proxy between the service and its real PostgreSQL that fails as networks and databases do, when a test asks for
//! it.
//!
//! It reads the frames of the protocol and nothing more: which statement a message runs, which transaction a COMMIT
//! ends, which answer belongs to which request. Everything that no fault concerns passes unchanged.

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

use sextant::db::{Database, DatabaseError};

use super::cluster::runtime;
use super::database::{TestDatabase, open_at};
use conversation::converse;

/// The state of the whole path to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// Connections are accepted and bytes are read, but nothing is answered.
    Frozen,
    /// New connections are closed at once.
    Closed,
}

/// State that all connections through the proxy share.
struct Board {
    server: PathBuf,
    way: watch::Sender<State>,
    /// Connections of an earlier generation are cut.
    generation: watch::Sender<u64>,
    /// The number of open connections.
    connections: watch::Sender<usize>,
    faults: Mutex<Vec<Arc<Fault>>>,
}

impl Board {
    /// The fault to apply to this request, if one is left that matches it.
    fn strike(&self, request: &wire::RunStatement<'_>) -> Option<Arc<Fault>> {
        let faults = self.faults.lock().unwrap();
        faults.iter().find(|fault| fault.strikes(request)).cloned()
    }

    /// Returns when messages may pass again.
    async fn passable(&self) {
        let mut way = self.way.subscribe();
        // The board outlives every conversation, so the channel is open.
        let _ = way.wait_for(|way| *way != State::Frozen).await;
    }
}

/// A path to the database into which faults can be injected.
pub struct PostgresProxy {
    address: SocketAddr,
    board: Arc<Board>,
    accepting: AbortHandle,
}

impl PostgresProxy {
    /// Starts it before the server whose socket is in this directory.
    pub async fn before(socket_dir: &Path) -> Self {
        let board = Arc::new(Board {
            server: socket_dir.join(".s.PGSQL.5432"),
            way: watch::Sender::new(State::Open),
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

    /// The value of `DATABASE_URL` for this role and database.
    pub fn url(&self, user: &str, database: &str) -> String {
        format!("postgres://{user}@{}/{database}", self.address)
    }

    /// Applies this fault to the next `times` requests that match.
    pub fn inject(&self, when: When, act: Act, times: usize) -> Arc<Fault> {
        let fault = Arc::new(Fault::new(when, act, times));
        self.board.faults.lock().unwrap().push(Arc::clone(&fault));
        fault
    }

    /// Answers nothing any more, until [`Self::mend`].
    pub fn freeze(&self) {
        self.board.way.send_replace(State::Frozen);
    }

    /// Cuts every connection and refuses new ones, until [`Self::mend`].
    pub fn cut(&self) {
        self.board.way.send_replace(State::Closed);
        self.board.generation.send_modify(|number| *number += 1);
    }

    /// As [`Self::cut`]; when this returns, nothing passes any more.
    pub async fn cut_and_wait(&self) {
        self.cut();
        let mut connections = self.board.connections.subscribe();
        // The board outlives every conversation, so the channel is open.
        let _ = connections.wait_for(|connections| *connections == 0).await;
    }

    /// Opens the path again and removes all faults.
    pub fn mend(&self) {
        self.board.faults.lock().unwrap().clear();
        self.board.way.send_replace(State::Open);
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
        // Subscribed before the state is read, so that a cut between the two is not missed.
        let mut generation = board.generation.subscribe();
        board.connections.send_modify(|count| *count += 1);
        if *board.way.borrow() == State::Closed {
            board.connections.send_modify(|count| *count -= 1);
            continue;
        }
        let board = Arc::clone(&board);
        tokio::spawn(async move {
            let talk = converse(client, Arc::clone(&board));
            // Either end hung up, or the test cut the connection.
            tokio::select! {
                _ended = talk => {}
                _cut = generation.changed() => {}
            }
            board.connections.send_modify(|count| *count -= 1);
        });
    }
}

impl TestDatabase {
    /// Opens it as the service does, through a proxy that injects faults.
    pub async fn open_over(&self, proxy: &PostgresProxy) -> Result<Database, DatabaseError> {
        open_at(proxy.url("sextant", self.name()), true).await
    }
}
