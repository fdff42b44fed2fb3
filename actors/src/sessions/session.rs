//! One session: the life of what serves one agent under one edition of its grant. Its calls run in the futures of their callers; when
//! it ends, its gate closes and every one of them drops its work.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use actix::{
    Actor, ActorContext as _, ActorFutureExt as _, Addr, Context, Handler, Message,
    ResponseActFuture, Supervised, WrapFuture as _,
};
use chrono::{DateTime, Utc};
use futures_util::future::{Either, select};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::activity::SessionActivity;
use super::{CallError, ClientInfo, CloseReason, Era, Gate, SessionId, SessionSummary};
use crate::audit::AuditHandle;
use crate::clock::Clock;
use crate::domain::Ticket;
use crate::limits::CALLS_AT_ONCE_MAX;
use crate::ports::{Outlets, ToolCalls};
use crate::supervise::Board;

/// What every session needs of the tree.
pub(crate) struct SessionServices {
    pub(crate) tools: Arc<dyn ToolCalls>,
    pub(crate) audit: AuditHandle,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) outlets: Arc<dyn Outlets>,
    pub(crate) board: Board,
}

/// A session as its registry and its leases know it.
pub(super) struct LiveSession {
    pub(super) id: SessionId,
    /// See [`super::Lease::life`].
    pub(super) life: u64,
    pub(super) ticket: Ticket,
    pub(super) client: ClientInfo,
    pub(super) era: Era,
    pub(super) started_at: DateTime<Utc>,
    pub(super) gate: Gate,
    pub(super) activity: SessionActivity,
    /// One permit for each call that may run; a call gives it back after it has dropped its work.
    pub(super) places: Arc<Semaphore>,
    pub(super) address: Addr<Session>,
}

/// Ends the session; answered when none of its calls runs any more (from the registry, or from a lease's client).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Kill;

/// The actor. Temporary: never restarted, since a client opens the next.
pub(crate) struct Session {
    gate: Gate,
    places: Arc<Semaphore>,
}

/// Its name on the status board and in the log.
pub(super) const SESSION: &str = "session";

impl LiveSession {
    pub(super) fn is_open(&self) -> bool {
        self.gate.state().is_none()
    }

    /// The actor that belongs to it.
    pub(super) fn actor(&self) -> Session {
        Session {
            gate: self.gate.clone(),
            places: Arc::clone(&self.places),
        }
    }

    /// Closes the gate, then tells the actor; false when it had been closed before.
    pub(super) fn end(&self, reason: CloseReason) -> bool {
        let closed = self.gate.close(reason);
        self.address.do_send(Kill);
        closed
    }

    /// Ends the session because one of its calls panicked.
    pub(super) fn crash(&self, board: &Board, cause: &str) {
        self.end(CloseReason::Stopped);
        board.note_crash(SESSION, cause);
    }

    pub(super) fn summary(&self) -> SessionSummary {
        SessionSummary {
            id: self.id.clone(),
            agent: self.ticket.agent.clone(),
            client: self.client.clone(),
            era: self.era,
            presented: self.ticket.presented,
            started_at: self.started_at,
            last_call_at: self.activity.last_call_at(),
            calls: self.activity.calls(),
        }
    }
}

impl Actor for Session {
    type Context = Context<Self>;
}

impl Supervised for Session {}

impl Drop for Session {
    /// Closes the gate however the actor ends.
    fn drop(&mut self) {
        self.gate.close(CloseReason::Stopped);
    }
}

impl Handler<Kill> for Session {
    type Result = ResponseActFuture<Self, ()>;

    fn handle(&mut self, _: Kill, _: &mut Self::Context) -> Self::Result {
        // The sender has closed the gate already, with the reason; this is for one that has not.
        self.gate.close(CloseReason::Stopped);
        let places = Arc::clone(&self.places);
        let last_call = async move {
            // Every place: each call has dropped its work. Nobody closes the semaphore.
            let _all = places.acquire_many(CALLS_AT_ONCE_MAX).await;
        };
        let stop = |(), _: &mut Self, context: &mut Self::Context| context.stop();
        Box::pin(last_call.into_actor(self).map(stop))
    }
}

/// Runs the work until it is done, the gate closes or it is cancelled; a closed gate wins over everything.
pub(super) async fn run_until_interrupted<T>(
    gate: &Gate,
    cancel: &CancellationToken,
    work: impl Future<Output = T>,
) -> Result<T, CallError> {
    let closed = pin!(gate.closed());
    let cancelled = pin!(cancel.cancelled());
    let work = pin!(work);
    match select(closed, select(cancelled, work)).await {
        Either::Left((reason, _)) => Err(CallError::Closed(reason)),
        Either::Right((Either::Left(_), _)) => Err(CallError::Cancelled),
        Either::Right((Either::Right((done, _)), _)) => Ok(done),
    }
}
