//! The status board: the state of each supervised actor, for the Console, where restarts are asked for; and that one has been given up,
//! for the service.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use tokio::sync::{SetOnce, oneshot};
use tokio::time::timeout;

use super::restart::{RestartDoor, RestartOrders, RestartRefusal, RestartToll, open_orders};
use crate::clock::Clock;
use crate::limits::RESTART_PATIENCE;

/// The state of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorState {
    /// It takes messages, or loads what it needs to.
    Running,
    /// It crashed and waits to be restarted; its messages wait too.
    Restarting,
    /// It crashed too often and rests.
    Parked,
    /// It stopped deliberately.
    Stopped,
    /// It crashed too often: the service stops.
    Failed,
}

/// One actor, or all temporary ones of a name together: their state is always `Running`, their crashes are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActorStatus {
    /// The actor's name.
    pub name: String,
    /// Its state.
    pub state: ActorState,
    /// How often it crashed.
    pub crashes: u64,
    /// How often it was restarted: after a crash, or because somebody asked for it.
    pub restarts: u64,
    /// What the last crash said, if that cannot hold data.
    pub last_error: Option<String>,
    /// When it entered its state, or was last restarted in it.
    pub since: DateTime<Utc>,
}

impl ActorStatus {
    /// Its name as addresses and events have it.
    pub fn id(&self) -> String {
        Self::id_of(&self.name)
    }

    pub(crate) fn id_of(name: &str) -> String {
        name.replace(' ', "-")
    }
}

struct BoardRow {
    status: ActorStatus,
    /// `None` for temporary actors.
    door: Option<RestartDoor>,
}

struct BoardState {
    rows: RwLock<BTreeMap<String, BoardRow>>,
    failure: SetOnce<String>,
    clock: Arc<dyn Clock>,
    opened_at: DateTime<Utc>,
}

/// Shared by every guard (they write) and the Console (it reads).
#[derive(Clone)]
pub struct Board(Arc<BoardState>);

impl Board {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(BoardState {
            rows: RwLock::default(),
            failure: SetOnce::new(),
            opened_at: clock.now(),
            clock,
        }))
    }

    /// All actors, by name.
    pub fn read(&self) -> Vec<ActorStatus> {
        let rows = self.0.rows.read().unwrap_or_else(PoisonError::into_inner);
        rows.values().map(|row| row.status.clone()).collect()
    }

    /// The state of the actor of this name.
    pub(crate) fn state(&self, name: &str) -> Option<ActorState> {
        let rows = self.0.rows.read().unwrap_or_else(PoisonError::into_inner);
        rows.get(name).map(|row| row.status.state)
    }

    /// Resolves when an actor that the service needs has been given up; names it and the cause.
    pub async fn failed(&self) -> String {
        self.0.failure.wait().await.clone()
    }

    /// Restarts an actor: its mailbox is kept, what it had under way is dropped, and no crash is counted. Returns when it has restarted,
    /// with the number of others that this ended, where the actor counts them; it may load what it needs for longer.
    ///
    /// # Errors
    /// Why it has not been restarted.
    pub async fn restart(&self, id: &str) -> Result<Option<usize>, RestartRefusal> {
        match timeout(RESTART_PATIENCE, self.order_restart(id)?).await {
            Ok(restarted) => restarted.map_err(|_| RestartRefusal::Lost),
            Err(_) => Err(RestartRefusal::Late),
        }
    }

    /// Under the lock, so that the actor does not change its state between the look and the order.
    fn order_restart(&self, id: &str) -> Result<oneshot::Receiver<Option<usize>>, RestartRefusal> {
        let rows = self.0.rows.read().unwrap_or_else(PoisonError::into_inner);
        let row = rows.values().find(|row| row.status.id() == id);
        let row = row.ok_or(RestartRefusal::Unknown)?;
        let door = row.door.as_ref().ok_or(RestartRefusal::Temporary)?;
        match row.status.state {
            // One that rests for long need not rest any longer.
            ActorState::Running | ActorState::Parked => door.order(),
            _ => Err(RestartRefusal::NotRunning),
        }
    }

    /// Notes a crash of a temporary actor's work that ran outside it; its others go on.
    pub(crate) fn note_crash(&self, name: &str, cause: &str) {
        log::error!("{name} crashed ({cause}); LetGo");
        self.record_crash(name, ActorState::Running, cause);
    }

    pub(super) fn mark_running(&self, name: &str) {
        self.update(name, |row| row.status.state = ActorState::Running);
    }

    pub(super) fn mark_stopped(&self, name: &str) {
        self.update(name, |row| row.status.state = ActorState::Stopped);
    }

    /// Forgets an actor that ended and is no more, unless another stands under its name already.
    pub(super) fn forget(&self, name: &str) {
        let mut rows = self.0.rows.write().unwrap_or_else(PoisonError::into_inner);
        let row = rows.get(name).and_then(|row| row.door.as_ref());
        if row.is_some_and(RestartDoor::is_closed) {
            rows.remove(name);
        }
    }

    /// From now on restarts of this actor can be asked for.
    pub(super) fn take_orders(&self, name: &str, toll: Option<RestartToll>) -> RestartOrders {
        let (door, orders) = open_orders(toll);
        self.update(name, |row| row.door = Some(door));
        orders
    }

    /// Notes a restart that somebody asked for. The one that a crash leads to is counted with the crash.
    pub(super) fn record_restart(&self, name: &str, after_crash: bool) {
        self.update(name, |row| {
            let status = &mut row.status;
            status.state = ActorState::Running;
            status.restarts += u64::from(!after_crash);
            status.since = self.now().unwrap_or(status.since);
        });
    }

    pub(super) fn record_crash(&self, name: &str, state: ActorState, cause: &str) {
        self.update(name, |row| {
            let status = &mut row.status;
            status.state = state;
            status.last_error = Some(cause.to_owned());
            status.crashes += 1;
            let restarts = matches!(state, ActorState::Restarting | ActorState::Parked);
            status.restarts += u64::from(restarts);
        });
    }

    /// Reports the first actor that is given up.
    pub(super) fn give_up(&self, name: &str, cause: &str) {
        // A second failure changes nothing: the service is stopping already.
        let _ = self
            .0
            .failure
            .set(format!("{name} crashed too often ({cause})"));
    }

    fn update(&self, name: &str, change: impl FnOnce(&mut BoardRow)) {
        let mut rows = self.0.rows.write().unwrap_or_else(PoisonError::into_inner);
        let row = rows
            .entry(name.to_owned())
            .or_insert_with(|| self.row(name));
        let before = row.status.state;
        change(row);
        if row.status.state != before {
            row.status.since = self.now().unwrap_or(row.status.since);
        }
    }

    fn row(&self, name: &str) -> BoardRow {
        BoardRow {
            status: ActorStatus {
                name: name.to_owned(),
                state: ActorState::Running,
                crashes: 0,
                restarts: 0,
                last_error: None,
                since: self.now().unwrap_or(self.0.opened_at),
            },
            door: None,
        }
    }

    /// Called outside the guard's `catch_unwind`: a clock that panics must not end the guard.
    fn now(&self) -> Option<DateTime<Utc>> {
        catch_unwind(AssertUnwindSafe(|| self.0.clock.now())).ok()
    }
}
