use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix::Addr;
use uuid::Uuid;

use super::actor::SyncActor;
use super::messages::{BeginNow, Halt, ReloadPlan, SyncNow};
use super::services::{AskedRound, SyncRefusal, SyncServices};
use crate::limits::{BEGIN_PATIENCE, HALT_DEADLINE, SYNC_PATIENCE};
use crate::ports::RoundReport;
use crate::supervise::{ActorStatus, AskError, Board, Mailbox, Policy, Threads, ask};

/// Before the connection's id in the name of its actor.
const NAME: &str = "connection ";

/// The handle of one connection's actor, which lives as long as a handle does.
#[derive(Clone)]
pub struct SyncHandle {
    actor: Addr<SyncActor>,
    /// Whether the person wants a round as soon as the actor has started again.
    is_wanted: Arc<AtomicBool>,
}

impl SyncHandle {
    /// Starts the actor of a connection; on the board it stands under [`SyncHandle::name_of`].
    pub fn start(
        connection: Uuid,
        services: SyncServices,
        board: &Board,
        threads: &Threads,
    ) -> Self {
        let mailbox = Mailbox::open();
        let handle = Self {
            actor: mailbox.address(),
            is_wanted: Arc::default(),
        };
        let actor = SyncActor::new(connection, services, Arc::clone(&handle.is_wanted));
        let name = Self::name_of(connection);
        let thread = threads.worker(connection.as_u128());
        if !mailbox.start(name, Policy::Transient, board, thread, actor) {
            log::error!("its thread is gone; connection {connection} is not read");
        }
        handle
    }

    /// The name of a connection's actor on the board.
    pub fn name_of(connection: Uuid) -> String {
        format!("{NAME}{connection}")
    }

    /// The connection whose actor has this name on the board.
    pub fn connection_of(name: &str) -> Option<Uuid> {
        name.strip_prefix(NAME)?.parse().ok()
    }

    /// The same as addresses and events have it.
    pub(crate) fn id_of(connection: Uuid) -> String {
        ActorStatus::id_of(&Self::name_of(connection))
    }

    /// Joins the round under way, or begins one, and waits for its end; at a source that is listened to, for nothing.
    ///
    /// # Errors
    /// Why none runs, or that it goes on.
    pub async fn sync_now(&self) -> Result<RoundReport, SyncRefusal> {
        self.sync_within(SYNC_PATIENCE).await
    }

    /// The same, waiting no longer than that. A round that then goes on ends as if nobody had waited.
    ///
    /// # Errors
    /// Why none runs, or that it goes on.
    pub async fn sync_within(&self, patience: Duration) -> Result<RoundReport, SyncRefusal> {
        ask(&self.actor, SyncNow, patience).await?
    }

    /// Joins the round under way, or begins one in spite of a backoff, and waits for nothing.
    ///
    /// # Errors
    /// Why none runs.
    pub async fn begin(&self) -> Result<AskedRound, SyncRefusal> {
        ask(&self.actor, BeginNow, BEGIN_PATIENCE).await?
    }

    /// Has a round begin when its actor next starts, in spite of a backoff: for whoever restarts it.
    pub(crate) fn begin_when_started(&self) {
        self.is_wanted.store(true, Ordering::SeqCst);
    }

    /// Reads the plan again: after a new interval, a new sign-in, or a resume.
    pub fn reload(&self) {
        self.actor.do_send(ReloadPlan);
    }

    /// Ends the round under way between two pages; none begins any more. False if it did not end in time.
    pub async fn halt(&self) -> bool {
        self.halt_within(HALT_DEADLINE).await
    }

    /// The same, waiting no longer than that.
    pub(crate) async fn halt_within(&self, patience: Duration) -> bool {
        ask(&self.actor, Halt, patience).await.is_ok()
    }
}

impl From<AskError> for SyncRefusal {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Lost => Self::Lost,
            AskError::Late => Self::Late,
        }
    }
}
