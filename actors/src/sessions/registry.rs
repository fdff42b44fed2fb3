//! The registry: the only one who opens sessions and the only one who ends them for others.

use std::sync::Arc;

use actix::{
    Actor, AsyncContext as _, Context, Handler, Message, ResponseActFuture, Supervised,
    WrapFuture as _,
};
use chrono::TimeDelta;
use futures_util::future::join_all;
use tokio::sync::Semaphore;

use super::past::Past;
use super::pulse::Pulse;
use super::roster::Roster;
use super::session::{House, Kill, Live, Session};
use super::{ClientInfo, CloseReason, Era, Gate, Lease, OpenError, SessionId, SessionSummary};
use crate::domain::AgentName;
use crate::grants::{Book, Ticket};
use crate::limits::{CALLS_AT_ONCE_MAX, KILL_PATIENCE, Limits, SWEEP_INTERVAL};
use crate::supervise::{Board, Mailroom, Policy, Spread, ask};

/// Opens a session, or finds the one that is shared (from the agents' surfaces).
#[derive(Message)]
#[rtype(result = "Result<Lease, OpenError>")]
pub(super) struct Open {
    pub(super) ticket: Ticket,
    pub(super) client: ClientInfo,
    pub(super) era: Era,
}

/// Finds a legacy session by its id (from the MCP surface).
#[derive(Message)]
#[rtype(result = "Option<Lease>")]
pub(super) struct Find {
    pub(super) id: SessionId,
    pub(super) ticket: Ticket,
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

/// The actor. After its own restart it ends every session it still holds: what it knew of them may be wrong.
pub(crate) struct SessionRegistry {
    roster: Roster,
    past: Past,
    house: Arc<House>,
    book: Arc<Book>,
    threads: Arc<Spread>,
    board: Board,
    per_agent_max: usize,
    idle_max: TimeDelta,
    closing: bool,
}

impl SessionRegistry {
    pub(crate) fn new(
        house: House,
        book: Arc<Book>,
        threads: Arc<Spread>,
        board: Board,
        limits: &Limits,
    ) -> Self {
        Self {
            roster: Roster::default(),
            past: Past::new(),
            house: Arc::new(house),
            book,
            threads,
            board,
            per_agent_max: limits.sessions_per_agent_max,
            // A duration beyond chrono's is as good as never.
            idle_max: TimeDelta::from_std(limits.session_idle_max).unwrap_or(TimeDelta::MAX),
            closing: false,
        }
    }

    fn open(&mut self, message: Open) -> Result<Lease, OpenError> {
        let Open {
            ticket,
            client,
            era,
        } = message;
        if self.closing {
            return Err(OpenError::Unavailable);
        }
        if !self.book.holds(&ticket) {
            return Err(OpenError::GrantChanged);
        }
        let client = client.cut();
        self.roster.prune(&ticket.agent);
        if let Some(live) = self.shared(&ticket, &client, era) {
            live.pulse.touch(self.house.clock.now());
            return Ok(self.lease(live));
        }
        self.make_room(&ticket.agent)?;
        let id = self.draw(&ticket, &client, era)?;
        self.start(id, FIRST_LIFE, ticket, client, era)
    }

    fn shared(&self, ticket: &Ticket, client: &ClientInfo, era: Era) -> Option<Arc<Live>> {
        let live = self.roster.shared(&ticket.agent, client, era)?;
        // One of an earlier epoch is about to be killed.
        (live.ticket.epoch == ticket.epoch).then(|| Arc::clone(live))
    }

    /// Ends the oldest idle session of an agent that has as many as it may have.
    fn make_room(&mut self, agent: &AgentName) -> Result<(), OpenError> {
        if self.roster.count(agent) < self.per_agent_max {
            return Ok(());
        }
        let oldest = Arc::clone(self.roster.oldest_idle(agent).ok_or(OpenError::Full)?);
        self.end(&oldest, CloseReason::Idle);
        self.roster.remove(&oldest);
        Ok(())
    }

    /// Ends a session; one that was only idle may be taken up again.
    fn end(&mut self, live: &Live, reason: CloseReason) {
        if live.end(reason) && reason == CloseReason::Idle && live.era == Era::Legacy {
            self.past.rest(live.id.clone(), &live.ticket.agent);
        }
    }

    /// Only what is found by its id can be asked for in a later run.
    fn draw(&self, ticket: &Ticket, client: &ClientInfo, era: Era) -> Result<SessionId, OpenError> {
        let drawn = match era {
            Era::Legacy => self.past.draw(ticket, client),
            Era::Modern | Era::Mirror => SessionId::draw(),
        };
        drawn.map_err(|_| OpenError::Unavailable)
    }

    fn start(
        &mut self,
        id: SessionId,
        life: u64,
        ticket: Ticket,
        client: ClientInfo,
        era: Era,
    ) -> Result<Lease, OpenError> {
        let now = self.house.clock.now();
        let mailroom = Mailroom::<Session>::open();
        let live = Arc::new(Live {
            id,
            life,
            ticket,
            client,
            era,
            started_at: now,
            gate: Gate::default(),
            pulse: Pulse::started(now),
            places: Semaphore::new(CALLS_AT_ONCE_MAX),
            address: mailroom.address(),
        });
        // Entered before it runs: whatever happens next, it can be ended.
        self.roster.enter(Arc::clone(&live));
        let actor = live.actor(&self.house);
        let thread = self.threads.next().ok_or(OpenError::Unavailable)?;
        if !mailroom.start("session", Policy::Temporary, &self.board, thread, actor) {
            self.roster.remove(&live);
            return Err(OpenError::Unavailable);
        }
        Ok(self.lease(live))
    }

    fn find(&mut self, id: SessionId, ticket: Ticket) -> Option<Lease> {
        let Some(live) = self.roster.get(&ticket.agent, &id) else {
            return self.resume(id, ticket);
        };
        if live.ticket.epoch != ticket.epoch || live.era != Era::Legacy || !self.book.holds(&ticket)
        {
            return None;
        }
        live.pulse.touch(self.house.clock.now());
        Some(self.lease(Arc::clone(live)))
    }

    /// Takes up a session of an earlier run, or one that rests.
    fn resume(&mut self, id: SessionId, ticket: Ticket) -> Option<Lease> {
        if self.closing || !self.book.holds(&ticket) {
            return None;
        }
        let client = self.past.client(&id, &ticket)?;
        self.make_room(&ticket.agent).ok()?;
        let life = self.past.note(id.clone(), &ticket.agent);
        self.start(id, life, ticket, client, Era::Legacy).ok()
    }

    fn lease(&self, live: Arc<Live>) -> Lease {
        Lease::on(live, Arc::clone(&self.house))
    }

    /// Ends every session without waiting for it.
    fn abandon(&mut self) {
        for live in self.roster.take_all() {
            live.end(CloseReason::Stopped);
        }
    }

    /// Ends idle sessions and those whose deadline has passed, by the wall clock.
    fn sweep(&mut self) {
        for (live, reason) in self.roster.due(self.house.clock.now(), self.idle_max) {
            self.end(&live, reason);
        }
        self.roster.prune_all();
    }
}

/// The life of a session that nobody has taken up again.
const FIRST_LIFE: u64 = 0;

/// Closes the gates; how many were open. From here on nothing of these sessions passes.
fn end_all(sessions: &[Arc<Live>], reason: CloseReason) -> usize {
    sessions
        .iter()
        .filter(|live| live.gate.close(reason))
        .count()
}

/// Sends the kills and waits for a while until they are acknowledged.
async fn acknowledged(sessions: Vec<Arc<Live>>, ended: usize) -> usize {
    let kills = sessions
        .iter()
        .map(|live| ask(&live.address, Kill, KILL_PATIENCE));
    join_all(kills).await;
    ended
}

impl Actor for SessionRegistry {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.run_interval(SWEEP_INTERVAL, |registry, _| registry.sweep());
    }
}

impl Supervised for SessionRegistry {
    fn restarting(&mut self, _: &mut Self::Context) {
        self.abandon();
    }
}

impl Drop for SessionRegistry {
    /// A registry that gave up leaves no session that nobody could end.
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
        self.find(message.id, message.ticket)
    }
}

impl Handler<KillAgent> for SessionRegistry {
    type Result = ResponseActFuture<Self, usize>;

    fn handle(&mut self, message: KillAgent, _: &mut Self::Context) -> Self::Result {
        let outdated = self.roster.take_outdated(&message.agent, message.epoch);
        let ended = end_all(&outdated, CloseReason::GrantChanged);
        Box::pin(acknowledged(outdated, ended).into_actor(self))
    }
}

impl Handler<KillAll> for SessionRegistry {
    type Result = ResponseActFuture<Self, usize>;

    fn handle(&mut self, _: KillAll, _: &mut Self::Context) -> Self::Result {
        self.closing = true;
        let sessions = self.roster.take_all();
        let ended = end_all(&sessions, CloseReason::Stopped);
        Box::pin(acknowledged(sessions, ended).into_actor(self))
    }
}

impl Handler<List> for SessionRegistry {
    type Result = actix::MessageResult<List>;

    fn handle(&mut self, message: List, _: &mut Self::Context) -> Self::Result {
        actix::MessageResult(self.roster.list(message.agent.as_ref()))
    }
}
