//! The live sessions as everybody reads them. The registry alone enters and ends them; a request that belongs to one that is there
//! takes its lease here, without a message, and waits for nobody.
//!
//! The registry holds the lock while it handles a message: no session is ended for its idleness while a lease on it is taken, and if
//! the registry crashes the lock is poisoned, so that nobody takes a lease on what its restart will end.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::session::{LiveSession, SessionServices};
use super::table::SessionTable;
use super::{ClientInfo, Era, Lease, SessionId};
use crate::domain::Ticket;
use crate::published_grants::PublishedGrants;

/// The roster, and what a lease needs beside it.
pub(crate) struct PublishedSessions {
    table: Mutex<SessionTable>,
    book: Arc<PublishedGrants>,
    /// Known as soon as there is a registry, and so before any session.
    services: OnceLock<Arc<SessionServices>>,
}

impl PublishedSessions {
    pub(crate) fn new(book: Arc<PublishedGrants>) -> Self {
        Self {
            table: Mutex::default(),
            book,
            services: OnceLock::new(),
        }
    }

    /// The first house that is settled in is the house.
    pub(super) fn set_services(&self, services: SessionServices) -> &Arc<SessionServices> {
        self.services.get_or_init(|| Arc::new(services))
    }

    /// For the registry, for as long as it handles one message.
    pub(super) fn lock(&self) -> MutexGuard<'_, SessionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The registry has restarted: leases are to be had again.
    pub(super) fn recover(&self) {
        self.table.clear_poison();
    }

    /// Whether a session may be opened on this ticket.
    pub(super) fn admits(&self, ticket: &Ticket) -> bool {
        self.book.is_current(ticket)
    }

    /// A lease on the session that requests of this agent and client share, if it is there and of this very grant.
    pub(super) fn shared(&self, ticket: &Ticket, client: &ClientInfo, era: Era) -> Option<Lease> {
        let live = Arc::clone(self.read()?.shared(&ticket.agent, client, era)?);
        self.lease(live, ticket)
    }

    /// A lease on the legacy session of this id, if it is there, this agent's, and of this very grant.
    pub(super) fn named(&self, id: &SessionId, ticket: &Ticket) -> Option<Lease> {
        let live = Arc::clone(self.read()?.get(&ticket.agent, id)?);
        (live.era == Era::Legacy).then(|| self.lease(live, ticket))?
    }

    /// Nothing while the registry is down.
    fn read(&self) -> Option<MutexGuard<'_, SessionTable>> {
        self.table.lock().ok()
    }

    /// None on a session of an earlier epoch, which is about to be killed, and on one that ended meanwhile.
    fn lease(&self, live: Arc<LiveSession>, ticket: &Ticket) -> Option<Lease> {
        let services = self.services.get()?;
        if live.ticket.epoch != ticket.epoch || !self.admits(ticket) {
            return None;
        }
        let now = services.clock.now();
        let is_there = {
            let _nobody_is_ended_meanwhile = self.read()?;
            live.activity.touch(now);
            live.is_open()
        };
        is_there.then(|| Lease::new(live, Arc::clone(services)))
    }
}
