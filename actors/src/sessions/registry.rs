//! The registry: opens sessions, and ends those that are idle, expired, or of an edited grant.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix::{
    Actor, AsyncContext as _, Context, Handler, Message, ResponseActFuture, Supervised,
    WrapFuture as _,
};
use actix_rt::ArbiterHandle;
use chrono::TimeDelta;
use futures_util::future::{join, join_all};
use tokio::sync::Semaphore;

use super::activity::SessionActivity;
use super::published::PublishedSessions;
use super::resumable::ResumableSessions;
use super::session::{Kill, LiveSession, Session, SessionServices};
use super::table::SessionTable;
use super::{ClientInfo, CloseReason, Era, Gate, Lease, OpenError, SessionId, SessionSummary};
use crate::domain::{AgentName, Ticket};
use crate::limits::{CALLS_AT_ONCE_MAX, KILL_PATIENCE, SWEEP_INTERVAL, TreeLimits};
use crate::supervise::{Board, Mailbox, Policy, ask};

/// Opens a session, unless one that is shared has been opened meanwhile (from the agents' surfaces).
#[derive(Message)]
#[rtype(result = "Result<Lease, OpenError>")]
pub(super) struct Open {
    pub(super) ticket: Ticket,
    pub(super) client: ClientInfo,
    pub(super) era: Era,
    pub(super) thread: ArbiterHandle,
}

/// Resumes a legacy session that is not live, unless another request has done so meanwhile (from the MCP surface).
#[derive(Message)]
#[rtype(result = "Option<Lease>")]
pub(super) struct Find {
    pub(super) id: SessionId,
    pub(super) ticket: Ticket,
    pub(super) thread: ArbiterHandle,
}

/// Ends an agent's sessions of earlier epochs; answers how many (from the grants).
#[derive(Message)]
#[rtype(result = "usize")]
pub(super) struct KillAgent {
    pub(super) agent: AgentName,
    pub(super) epoch: u64,
}

/// Ends all sessions and opens no more (at stop).
#[derive(Message)]
#[rtype(result = "usize")]
pub(super) struct KillAll;

/// The live sessions (for the Console).
#[derive(Message)]
#[rtype(result = "Vec<SessionSummary>")]
pub(super) struct List {
    pub(super) agent: Option<AgentName>,
}

/// The actor. After its own restart it ends every session it still has: its table may be wrong.
pub(crate) struct SessionRegistry {
    published: Arc<PublishedSessions>,
    resumable: ResumableSessions,
    services: Arc<SessionServices>,
    board: Board,
    per_agent_max: usize,
    idle_max: TimeDelta,
    closing: bool,
}

impl SessionRegistry {
    pub(crate) fn new(
        services: SessionServices,
        published: Arc<PublishedSessions>,
        board: Board,
        limits: &TreeLimits,
    ) -> Self {
        Self {
            services: Arc::clone(published.set_services(services)),
            published,
            resumable: ResumableSessions::new(),
            board,
            per_agent_max: limits.sessions_per_agent_max,
            // A duration beyond chrono's means never.
            idle_max: TimeDelta::from_std(limits.session_idle_max).unwrap_or(TimeDelta::MAX),
            closing: false,
        }
    }

    fn open(&mut self, asked: Open) -> Result<Lease, OpenError> {
        if self.closing {
            return Err(OpenError::Unavailable);
        }
        let published = Arc::clone(&self.published);
        let mut table = published.lock();
        if !published.admits(&asked.ticket) {
            return Err(OpenError::GrantChanged);
        }
        // Another request of the same client may have been quicker.
        if let Some(live) = table.shared(&asked.ticket.agent, &asked.client, asked.era)
            && live.ticket.epoch == asked.ticket.epoch
        {
            live.activity.touch(self.services.clock.now());
            return Ok(self.lease(Arc::clone(live)));
        }
        self.begin(&mut table, asked, None)
    }

    /// Makes room for a session and starts it: under the id by which it was `known` before, else under a new one.
    fn begin(
        &mut self,
        table: &mut SessionTable,
        asked: Open,
        known: Option<SessionId>,
    ) -> Result<Lease, OpenError> {
        self.make_room(table, &asked.ticket.agent)?;
        let (id, life) = match known {
            None => (self.generate(&asked)?, FIRST_LIFE),
            Some(id) => {
                let life = self.resumable.note_resumed(id.clone(), &asked.ticket.agent);
                (id, life)
            }
        };
        self.start(table, id, life, asked)
    }

    /// Ends the oldest idle session of an agent that has as many as it may have.
    fn make_room(&mut self, table: &mut SessionTable, agent: &AgentName) -> Result<(), OpenError> {
        table.prune(agent);
        if table.count(agent) < self.per_agent_max {
            return Ok(());
        }
        let oldest = Arc::clone(table.oldest_idle(agent).ok_or(OpenError::Full)?);
        self.end(&oldest, CloseReason::Idle);
        table.remove(&oldest);
        Ok(())
    }

    /// Ends a session; one that was only idle may be resumed.
    fn end(&mut self, live: &LiveSession, reason: CloseReason) {
        if live.end(reason) && reason == CloseReason::Idle && live.era == Era::Legacy {
            self.resumable
                .note_idle_end(live.id.clone(), &live.ticket.agent);
        }
    }

    /// A client asks for a legacy session by its id, also in a later run; the other ids are opaque.
    fn generate(&self, asked: &Open) -> Result<SessionId, OpenError> {
        let drawn = match asked.era {
            Era::Legacy => self.resumable.generate(&asked.ticket, &asked.client),
            Era::Modern | Era::Mirror => SessionId::generate(),
        };
        drawn.map_err(|_| OpenError::Unavailable)
    }

    /// Starts a session on the thread of the request that asked for it: its calls come from there.
    fn start(
        &mut self,
        table: &mut SessionTable,
        id: SessionId,
        life: u64,
        asked: Open,
    ) -> Result<Lease, OpenError> {
        let now = self.services.clock.now();
        let mailroom = Mailbox::<Session>::open();
        let live = Arc::new(LiveSession {
            id,
            life,
            ticket: asked.ticket,
            client: asked.client,
            era: asked.era,
            started_at: now,
            gate: Gate::default(),
            activity: SessionActivity::new(now),
            permits: Semaphore::new(CALLS_AT_ONCE_MAX),
            address: mailroom.address(),
        });
        // In the table before it runs, so that it can be ended whatever happens next.
        table.insert(Arc::clone(&live));
        let actor = live.actor(&self.services);
        if !mailroom.start(
            "session",
            Policy::Temporary,
            &self.board,
            &asked.thread,
            actor,
        ) {
            table.remove(&live);
            return Err(OpenError::Unavailable);
        }
        Ok(self.lease(live))
    }

    fn find(&mut self, message: Find) -> Option<Lease> {
        let Find { id, ticket, thread } = message;
        let published = Arc::clone(&self.published);
        let mut table = published.lock();
        if self.closing || !published.admits(&ticket) {
            return None;
        }
        let Some(live) = table.get(&ticket.agent, &id) else {
            return self.resume(&mut table, id, ticket, thread);
        };
        if live.ticket.epoch != ticket.epoch || live.era != Era::Legacy {
            return None;
        }
        live.activity.touch(self.services.clock.now());
        Some(self.lease(Arc::clone(live)))
    }

    /// Resumes a session of an earlier run, or one that was idle.
    fn resume(
        &mut self,
        table: &mut SessionTable,
        id: SessionId,
        ticket: Ticket,
        thread: ArbiterHandle,
    ) -> Option<Lease> {
        let client = self.resumable.client(&id, &ticket)?;
        let asked = Open {
            ticket,
            client,
            era: Era::Legacy,
            thread,
        };
        self.begin(table, asked, Some(id)).ok()
    }

    fn lease(&self, live: Arc<LiveSession>) -> Lease {
        Lease::new(live, Arc::clone(&self.services))
    }

    /// Ends every session without waiting for it.
    fn abandon(&mut self) {
        for live in self.published.lock().take_all() {
            live.end(CloseReason::Stopped);
        }
    }

    /// Ends idle sessions and those whose deadline has passed, by the wall clock; what those have handed out is cleared as after an edit.
    fn sweep(&mut self, context: &mut Context<Self>) {
        let published = Arc::clone(&self.published);
        let mut table = published.lock();
        let mut expired = BTreeMap::new();
        for (live, reason) in table.due(self.services.clock.now(), self.idle_max) {
            self.end(&live, reason);
            if reason == CloseReason::GrantChanged {
                expired.insert(live.ticket.agent.clone(), live.ticket.epoch + 1);
            }
        }
        table.prune_all();
        for (agent, epoch) in expired {
            context.spawn(self.services.outlets.clear(agent, epoch).into_actor(self));
        }
    }
}

/// The life of a session that was not resumed.
const FIRST_LIFE: u64 = 0;

/// Closes the gates; returns how many were open. Nothing of these sessions passes any more.
fn close_gates(sessions: &[Arc<LiveSession>], reason: CloseReason) -> usize {
    sessions
        .iter()
        .filter(|live| live.gate.close(reason))
        .count()
}

/// Sends the kills and waits up to `KILL_PATIENCE` for each to be acknowledged; returns `ended`.
async fn send_kills(sessions: Vec<Arc<LiveSession>>, ended: usize) -> usize {
    let kills = sessions
        .iter()
        .map(|live| ask(&live.address, Kill, KILL_PATIENCE));
    join_all(kills).await;
    ended
}

impl Actor for SessionRegistry {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.run_interval(SWEEP_INTERVAL, SessionRegistry::sweep);
    }
}

impl Supervised for SessionRegistry {
    fn restarting(&mut self, _: &mut Self::Context) {
        self.abandon();
        self.published.recover();
    }
}

impl Drop for SessionRegistry {
    /// Ends every session when the registry is given up: nobody else could.
    fn drop(&mut self) {
        self.abandon();
    }
}

impl Handler<Open> for SessionRegistry {
    type Result = Result<Lease, OpenError>;

    fn handle(&mut self, message: Open, _: &mut Self::Context) -> Self::Result {
        self.open(message)
    }
}

impl Handler<Find> for SessionRegistry {
    type Result = Option<Lease>;

    fn handle(&mut self, message: Find, _: &mut Self::Context) -> Self::Result {
        self.find(message)
    }
}

impl Handler<KillAgent> for SessionRegistry {
    type Result = ResponseActFuture<Self, usize>;

    fn handle(&mut self, message: KillAgent, _: &mut Self::Context) -> Self::Result {
        let outdated = (self.published.lock()).take_outdated(&message.agent, message.epoch);
        // The gates first: what has not passed by now never does. What has passed is cleared before the edit is answered.
        let ended = close_gates(&outdated, CloseReason::GrantChanged);
        let cleared = self.services.outlets.clear(message.agent, message.epoch);
        let ended = async move { join(cleared, send_kills(outdated, ended)).await.1 };
        Box::pin(ended.into_actor(self))
    }
}

impl Handler<KillAll> for SessionRegistry {
    type Result = ResponseActFuture<Self, usize>;

    fn handle(&mut self, _: KillAll, _: &mut Self::Context) -> Self::Result {
        self.closing = true;
        let sessions = self.published.lock().take_all();
        let ended = close_gates(&sessions, CloseReason::Stopped);
        Box::pin(send_kills(sessions, ended).into_actor(self))
    }
}

impl Handler<List> for SessionRegistry {
    type Result = actix::MessageResult<List>;

    fn handle(&mut self, message: List, _: &mut Self::Context) -> Self::Result {
        actix::MessageResult(self.published.lock().list(message.agent.as_ref()))
    }
}
