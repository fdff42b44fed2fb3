use actix::Addr;
use uuid::Uuid;

use super::actor::{Halt, ReloadPlan, SyncActor, SyncNow};
use super::services::{SyncRefusal, SyncServices};
use crate::limits::{HALT_DEADLINE, SYNC_PATIENCE};
use crate::ports::RoundReport;
use crate::supervise::{AskError, Board, Mailbox, Policy, Threads, ask};

/// The handle of one connection's actor, which lives as long as a handle does.
#[derive(Clone)]
pub struct SyncHandle {
    actor: Addr<SyncActor>,
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
        };
        let actor = SyncActor::new(connection, services);
        let name = Self::name_of(connection);
        if !mailbox.start(name, Policy::Transient, board, threads.shared(), actor) {
            log::error!("the thread of the actors is gone; connection {connection} is not read");
        }
        handle
    }

    /// The name of a connection's actor on the board.
    pub fn name_of(connection: Uuid) -> String {
        format!("connection {connection}")
    }

    /// Joins the round under way, or begins one, and waits for its end.
    ///
    /// # Errors
    /// Why none runs.
    pub async fn sync_now(&self) -> Result<RoundReport, SyncRefusal> {
        match ask(&self.actor, SyncNow, SYNC_PATIENCE).await {
            Ok(answer) => answer,
            Err(AskError::Lost | AskError::Late) => Err(SyncRefusal::Lost),
        }
    }

    /// Reads the plan again: after a new interval, a new sign-in, or a resume.
    pub fn reload(&self) {
        self.actor.do_send(ReloadPlan);
    }

    /// Ends the round under way between two pages; none begins any more. False if it did not end in time.
    pub async fn halt(&self) -> bool {
        ask(&self.actor, Halt, HALT_DEADLINE).await.is_ok()
    }
}
