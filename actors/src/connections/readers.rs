//! The actors of the connections that are read from their sources. One lives while its connection is published, active and not pushed
//! to. They outlive every restart of the connections' actor, which starts and halts them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::join_all;
use uuid::Uuid;

use super::ConnectionSnapshot;
use crate::domain::{ConnectionState, KnownConnection};
use crate::limits::LAST_ROUND_PATIENCE;
use crate::supervise::{ActorState, Board, RestartRefusal, Threads};
use crate::sync::{SyncHandle, SyncServices};

/// One actor.
struct Reader {
    handle: SyncHandle,
    /// False while it comes to its end: its connection is paused, changed and not read yet, or gone.
    is_wanted: bool,
    /// Counts how often it was to end.
    ends: u64,
}

#[derive(Default)]
struct Held {
    /// The service stops: none is started any more.
    is_closed: bool,
    readers: HashMap<Uuid, Reader>,
}

/// All of them.
pub(crate) struct SourceReaders {
    services: SyncServices,
    board: Board,
    threads: Threads,
    held: Mutex<Held>,
}

impl SourceReaders {
    pub(crate) fn new(services: SyncServices, board: Board, threads: Threads) -> Self {
        Self {
            services,
            board,
            threads,
            held: Mutex::default(),
        }
    }

    /// Starts the actors that these connections want and do not have, and has those end that they do not want.
    pub(super) fn follow(self: &Arc<Self>, connections: &ConnectionSnapshot) {
        let wanted = connections.values().filter(|row| is_read(row));
        let wanted: HashSet<Uuid> = wanted.map(|row| row.id).collect();
        let mut held = self.held();
        if held.is_closed {
            return;
        }
        for id in &wanted {
            match held.readers.get_mut(id) {
                Some(reader) if reader.is_wanted => {}
                Some(ending) => {
                    // It takes this after its halt, and goes on.
                    ending.is_wanted = true;
                    ending.handle.reload();
                }
                None => {
                    held.readers.insert(*id, self.start(*id));
                }
            }
        }
        let readers = held.readers.iter_mut();
        for (id, reader) in readers.filter(|(id, reader)| reader.is_wanted && !wanted.contains(*id))
        {
            reader.is_wanted = false;
            reader.ends += 1;
            let ending = Arc::clone(self).end(*id, reader.handle.clone(), reader.ends);
            self.threads.shared().spawn(ending);
        }
    }

    fn start(&self, connection: Uuid) -> Reader {
        let services = self.services.clone();
        Reader {
            handle: SyncHandle::start(connection, services, &self.board, &self.threads),
            is_wanted: true,
            ends: 0,
        }
    }

    /// Has the actor end its round, and lets it go, unless it is wanted again by then. Until its round is over it is the connection's,
    /// so that no second one runs a round beside it.
    async fn end(self: Arc<Self>, connection: Uuid, handle: SyncHandle, ends: u64) {
        if !handle.halt_within(LAST_ROUND_PATIENCE).await {
            log::warn!("connection {connection} did not end its round in time");
        }
        let mut held = self.held();
        let reader = held.readers.get(&connection);
        if reader.is_some_and(|reader| !reader.is_wanted && reader.ends == ends) {
            held.readers.remove(&connection);
        }
    }

    /// Has the actor of a connection read its plan again, if it has one that is not to end.
    pub(super) fn reload(&self, connection: Uuid) {
        let held = self.held();
        let reader = held.readers.get(&connection);
        if let Some(reader) = reader.filter(|reader| reader.is_wanted && !held.is_closed) {
            reader.handle.reload();
        }
    }

    /// The actor of a connection that is to be read.
    pub(super) fn get(&self, connection: Uuid) -> Option<SyncHandle> {
        let held = self.held();
        let reader = held.readers.get(&connection);
        let reader = reader.filter(|reader| reader.is_wanted);
        reader.map(|reader| reader.handle.clone())
    }

    /// Whether it crashed, and rests; then it answers nobody.
    pub(super) fn is_resting(&self, connection: Uuid) -> bool {
        let state = self.board.state(&SyncHandle::name_of(connection));
        matches!(state, Some(ActorState::Restarting | ActorState::Parked))
    }

    /// Whether it crashed too often, and rests for long.
    pub(super) fn is_parked(&self, connection: Uuid) -> bool {
        self.board.state(&SyncHandle::name_of(connection)) == Some(ActorState::Parked)
    }

    /// Restarts one of them; the others go on (r506).
    pub(super) async fn restart(&self, connection: Uuid) -> Result<(), RestartRefusal> {
        let id = SyncHandle::id_of(connection);
        self.board.restart(&id).await.map(|_| ())
    }

    /// Halts all of them at the end of their pages, and starts none any more. How many did not halt in time.
    pub(super) async fn close(&self) -> usize {
        let handles: Vec<SyncHandle> = {
            let mut held = self.held();
            held.is_closed = true;
            let readers = held.readers.values();
            readers.map(|reader| reader.handle.clone()).collect()
        };
        let halted = join_all(handles.iter().map(SyncHandle::halt)).await;
        halted.into_iter().filter(|halted| !halted).count()
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an actor reads it.
fn is_read(connection: &KnownConnection) -> bool {
    connection.state == ConnectionState::Active && !connection.is_pushed()
}
