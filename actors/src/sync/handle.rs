use std::sync::Arc;

use actix::Addr;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::actor::{Halt, Reload, SyncActor, SyncNow};
use crate::clock::Clock;
use crate::limits::{HALT_DEADLINE, SYNC_PATIENCE};
use crate::ports::{RoundEnd, Rounds};
use crate::supervise::{AskError, Board, Mailbox, Policy, Threads, ask};

/// What the actor of a connection works with.
#[derive(Clone)]
pub struct SyncServices {
    /// The rounds.
    pub rounds: Arc<dyn Rounds>,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
    /// What spreads the rounds.
    pub draw: Arc<dyn Fn() -> u16 + Send + Sync>,
}

/// Why a round that was asked for did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncRefusal {
    /// The source asked for a rest, or failed: not before this instant.
    Waiting(DateTime<Utc>),
    /// The source does not take the credential any more.
    NeedsPerson,
    /// The connection is being paused, removed or stopped.
    Halted,
    /// Its actor was restarted meanwhile, or gives no answer.
    Lost,
}

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
    pub async fn sync_now(&self) -> Result<RoundEnd, SyncRefusal> {
        match ask(&self.actor, SyncNow, SYNC_PATIENCE).await {
            Ok(answer) => answer,
            Err(AskError::Lost | AskError::Late) => Err(SyncRefusal::Lost),
        }
    }

    /// Reads the plan again: after a new interval, a new sign-in, or a resume.
    pub fn reload(&self) {
        self.actor.do_send(Reload);
    }

    /// Ends the round under way between two pages; none begins any more. False if it did not end in time.
    pub async fn halt(&self) -> bool {
        ask(&self.actor, Halt, HALT_DEADLINE).await.is_ok()
    }
}
