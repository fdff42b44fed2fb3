//! One session: runs calls for one agent under one edition of its grant; when it ends, every call it runs is dropped.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use actix::{
    Actor, ActorContext as _, Addr, Context, Handler, Message, ResponseActFuture, Supervised,
    WrapFuture as _,
};
use chrono::{DateTime, Utc};
use futures_util::future::{Either, select};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::activity::SessionActivity;
use super::{CallError, ClientInfo, CloseReason, Era, Gate, SessionId, SessionSummary};
use crate::audit::AuditHandle;
use crate::clock::Clock;
use crate::domain::{Call, Caller, Served, Ticket};
use crate::ports::{Outlets, ToolCalls};

/// What every session needs of the tree.
pub(crate) struct SessionServices {
    pub(crate) tools: Arc<dyn ToolCalls>,
    pub(crate) audit: AuditHandle,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) outlets: Arc<dyn Outlets>,
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
    /// One permit for each call that may run.
    pub(super) permits: Semaphore,
    pub(super) address: Addr<Session>,
}

/// Serves one call (from a lease).
#[derive(Message)]
#[rtype(result = "Result<Served, CallError>")]
pub(super) struct Serve {
    pub(super) call: Call,
    pub(super) cancel: CancellationToken,
}

/// Ends the session and what it runs; answered when it has been taken note of (from the registry, or from a lease's client).
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Kill;

/// The actor. Temporary: never restarted, since a client opens the next.
pub(crate) struct Session {
    caller: Caller,
    gate: Gate,
    tools: Arc<dyn ToolCalls>,
}

impl LiveSession {
    pub(super) fn is_open(&self) -> bool {
        self.gate.state().is_none()
    }

    /// The actor that belongs to it.
    pub(super) fn actor(&self, services: &SessionServices) -> Session {
        Session {
            caller: self.ticket.caller(),
            gate: self.gate.clone(),
            tools: Arc::clone(&services.tools),
        }
    }

    /// Closes the gate, then tells the actor; false when it had been closed before.
    pub(super) fn end(&self, reason: CloseReason) -> bool {
        let closed = self.gate.close(reason);
        self.address.do_send(Kill);
        closed
    }

    pub(super) fn summary(&self) -> SessionSummary {
        SessionSummary {
            id: self.id.clone(),
            agent: self.ticket.agent.clone(),
            client: self.client.clone(),
            era: self.era,
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

impl Handler<Serve> for Session {
    type Result = ResponseActFuture<Self, Result<Served, CallError>>;

    fn handle(&mut self, message: Serve, _: &mut Self::Context) -> Self::Result {
        let work = self.tools.serve(self.caller.clone(), message.call);
        let gate = self.gate.clone();
        let served = async move { run_until_interrupted(&gate, &message.cancel, work).await };
        Box::pin(served.into_actor(self))
    }
}

impl Handler<Kill> for Session {
    type Result = ();

    fn handle(&mut self, _: Kill, context: &mut Self::Context) {
        // The sender has closed the gate already, with the reason; this is for one that has not.
        self.gate.close(CloseReason::Stopped);
        context.stop();
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
