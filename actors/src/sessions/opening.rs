//! How the registry opens a session, or resumes one. Before it does, it looks again whether the grant still stands, and whether another
//! request has opened the session meanwhile.

use std::sync::Arc;

use actix::{Handler, Message};
use tokio::sync::Semaphore;

use super::activity::SessionActivity;
use super::registry::SessionRegistry;
use super::session::{LiveSession, SESSION, Session};
use super::table::SessionTable;
use super::{ClientInfo, CloseReason, Era, Gate, Lease, OpenError, SessionId};
use crate::domain::{AgentName, Ticket};
use crate::limits::CALLS_AT_ONCE_MAX;
use crate::supervise::{Mailbox, Policy};

/// The life of a session that was not resumed.
const FIRST_LIFE: u64 = 0;

/// Opens a session, unless one that is shared has been opened meanwhile (from the agents' surfaces).
#[derive(Message)]
#[rtype(result = "Result<Lease, OpenError>")]
pub(super) struct Open {
    pub(super) ticket: Ticket,
    pub(super) client: ClientInfo,
    pub(super) era: Era,
}

/// Resumes a legacy session that is not live, unless another request has done so meanwhile (from the MCP surface).
#[derive(Message)]
#[rtype(result = "Option<Lease>")]
pub(super) struct Find {
    pub(super) id: SessionId,
    pub(super) ticket: Ticket,
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

impl SessionRegistry {
    fn open(&mut self, request: Open) -> Result<Lease, OpenError> {
        if self.is_closing {
            return Err(OpenError::Unavailable);
        }
        let published = Arc::clone(&self.published);
        let mut table = published.lock();
        if !published.admits(&request.ticket) {
            return Err(OpenError::GrantChanged);
        }
        // Another request of the same client may have been quicker.
        if let Some(live) = table.shared(&request.ticket.agent, &request.client, request.era)
            && live.ticket.epoch == request.ticket.epoch
        {
            live.activity.touch(self.services.clock.now());
            return Ok(self.lease(Arc::clone(live)));
        }
        self.begin(&mut table, request, None)
    }

    /// Makes room for a session and starts it: under `id` when it is resumed, else under a new one.
    fn begin(
        &mut self,
        table: &mut SessionTable,
        request: Open,
        id: Option<SessionId>,
    ) -> Result<Lease, OpenError> {
        self.make_room(table, &request.ticket.agent)?;
        let (id, life) = match id {
            None => (self.generate(&request)?, FIRST_LIFE),
            Some(id) => {
                let life = self
                    .resumable
                    .note_resumed(id.clone(), &request.ticket.agent);
                (id, life)
            }
        };
        self.start(table, id, life, request)
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

    /// A client asks for a legacy session by its id, also in a later run; the other ids are opaque.
    fn generate(&self, request: &Open) -> Result<SessionId, OpenError> {
        let drawn = match request.era {
            Era::Legacy => self.resumable.generate(&request.ticket, &request.client),
            Era::Modern | Era::Mirror => SessionId::generate(),
        };
        drawn.map_err(|_| OpenError::Unavailable)
    }

    /// Starts the actor of a session; its calls run where they are made.
    fn start(
        &mut self,
        table: &mut SessionTable,
        id: SessionId,
        life: u64,
        request: Open,
    ) -> Result<Lease, OpenError> {
        let now = self.services.clock.now();
        let mailbox = Mailbox::<Session>::open();
        let live = Arc::new(LiveSession {
            id,
            life,
            ticket: request.ticket,
            client: request.client,
            era: request.era,
            started_at: now,
            gate: Gate::default(),
            activity: SessionActivity::new(now),
            places: Arc::new(Semaphore::new(CALLS_AT_ONCE_MAX as usize)),
            address: mailbox.address(),
        });
        // In the table before it runs, so that it can be ended whatever happens next.
        table.insert(Arc::clone(&live));
        let actor = live.actor();
        if !mailbox.start(
            SESSION,
            Policy::Temporary,
            &self.services.board,
            &self.thread,
            actor,
        ) {
            table.remove(&live);
            return Err(OpenError::Unavailable);
        }
        Ok(self.lease(live))
    }

    fn find(&mut self, message: Find) -> Option<Lease> {
        let Find { id, ticket } = message;
        let published = Arc::clone(&self.published);
        let mut table = published.lock();
        if self.is_closing || !published.admits(&ticket) {
            return None;
        }
        let Some(live) = table.get(&ticket.agent, &id) else {
            return self.resume(&mut table, id, ticket);
        };
        if live.ticket.epoch != ticket.epoch || live.era != Era::Legacy {
            return None;
        }
        live.activity.touch(self.services.clock.now());
        Some(self.lease(Arc::clone(live)))
    }

    /// Resumes a session of an earlier run, or one that was idle.
    fn resume(&mut self, table: &mut SessionTable, id: SessionId, ticket: Ticket) -> Option<Lease> {
        let client = self.resumable.client(&id, &ticket)?;
        let request = Open {
            ticket,
            client,
            era: Era::Legacy,
        };
        self.begin(table, request, Some(id)).ok()
    }

    fn lease(&self, live: Arc<LiveSession>) -> Lease {
        Lease::new(live, Arc::clone(&self.services))
    }
}
