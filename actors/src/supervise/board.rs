//! The status board: the state of each supervised actor, for the Console; and that one has been given up, for the service.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use tokio::sync::SetOnce;

use crate::clock::Clock;

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
    /// How often that led to a restart.
    pub restarts: u64,
    /// What the last crash said, if that cannot hold data.
    pub last_error: Option<String>,
    /// When it entered its state.
    pub since: DateTime<Utc>,
}

struct BoardState {
    rows: RwLock<BTreeMap<String, ActorStatus>>,
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
        rows.values().cloned().collect()
    }

    /// Resolves when an actor that the service needs has been given up; names it and the cause.
    pub async fn failed(&self) -> String {
        self.0.failure.wait().await.clone()
    }

    /// Notes a crash of a temporary actor's work that ran outside it; its others go on.
    pub(crate) fn note_crash(&self, name: &str, cause: &str) {
        log::error!("{name} crashed ({cause}); LetGo");
        self.record_crash(name, ActorState::Running, cause);
    }

    pub(super) fn mark_running(&self, name: &str) {
        self.update(name, |row| row.state = ActorState::Running);
    }

    pub(super) fn mark_stopped(&self, name: &str) {
        self.update(name, |row| row.state = ActorState::Stopped);
    }

    pub(super) fn record_crash(&self, name: &str, state: ActorState, cause: &str) {
        self.update(name, |row| {
            row.state = state;
            row.last_error = Some(cause.to_owned());
            row.crashes += 1;
            let restarts = matches!(state, ActorState::Restarting | ActorState::Parked);
            row.restarts += u64::from(restarts);
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

    fn update(&self, name: &str, change: impl FnOnce(&mut ActorStatus)) {
        let mut rows = self.0.rows.write().unwrap_or_else(PoisonError::into_inner);
        let row = rows.entry(name.to_owned()).or_insert_with(|| ActorStatus {
            name: name.to_owned(),
            state: ActorState::Running,
            crashes: 0,
            restarts: 0,
            last_error: None,
            since: self.now().unwrap_or(self.0.opened_at),
        });
        let before = row.state;
        change(row);
        if row.state != before {
            row.since = self.now().unwrap_or(row.since);
        }
    }

    /// Called outside the guard's `catch_unwind`: a clock that panics must not end the guard.
    fn now(&self) -> Option<DateTime<Utc>> {
        catch_unwind(AssertUnwindSafe(|| self.0.clock.now())).ok()
    }
}
