//! The live sessions as every request reads them. The registry alone adds and ends them; a request that belongs to a live session takes
//! its lease here, without a message.
//!
//! The registry holds the lock while it handles a message: no session is ended as idle while a lease on it is taken, and a crash of the
//! registry poisons the lock, so that nobody takes a lease on a session that its restart will end.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::session::{LiveSession, SessionServices};
use super::table::SessionTable;
use super::{ClientInfo, Era, Lease, SessionId};
use crate::domain::Ticket;
use crate::published_grants::PublishedGrants;

/// The table of live sessions, and what a lease needs beside it.
pub(crate) struct PublishedSessions {
    table: Mutex<SessionTable>,
    grants: Arc<PublishedGrants>,
    /// Set when the registry is made, before any session.
    services: OnceLock<Arc<SessionServices>>,
}

impl PublishedSessions {
    pub(crate) fn new(grants: Arc<PublishedGrants>) -> Self {
        Self {
            table: Mutex::default(),
            grants,
            services: OnceLock::new(),
        }
    }

    /// Sets the services unless they are set; returns those that are.
    pub(super) fn set_services(&self, services: SessionServices) -> &Arc<SessionServices> {
        self.services.get_or_init(|| Arc::new(services))
    }

    /// Locks the table, for the registry while it handles one message.
    pub(super) fn lock(&self) -> MutexGuard<'_, SessionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Clears the poison after the registry has restarted, so that leases can be taken again.
    pub(super) fn recover(&self) {
        self.table.clear_poison();
    }

    /// Whether a session may be opened on this ticket.
    pub(super) fn admits(&self, ticket: &Ticket) -> bool {
        self.grants.is_current(ticket)
    }

    /// A lease on the session that requests of this agent and client share, if it is live and of this ticket's epoch.
    pub(super) fn shared(&self, ticket: &Ticket, client: &ClientInfo, era: Era) -> Option<Lease> {
        let live = Arc::clone(self.read()?.shared(&ticket.agent, client, era)?);
        self.lease(live, ticket)
    }

    /// A lease on the legacy session of this id, if it is live, this agent's, and of this ticket's epoch.
    pub(super) fn named(&self, id: &SessionId, ticket: &Ticket) -> Option<Lease> {
        let live = Arc::clone(self.read()?.get(&ticket.agent, id)?);
        (live.era == Era::Legacy).then(|| self.lease(live, ticket))?
    }

    /// `None` from a crash of the registry until its restart.
    fn read(&self) -> Option<MutexGuard<'_, SessionTable>> {
        self.table.lock().ok()
    }

    /// `None` on a session of another epoch, which is about to be ended, and on one that has ended meanwhile.
    fn lease(&self, live: Arc<LiveSession>, ticket: &Ticket) -> Option<Lease> {
        let services = self.services.get()?;
        if live.ticket.epoch != ticket.epoch || !self.admits(ticket) {
            return None;
        }
        let now = services.clock.now();
        let is_there = {
            let _no_sweep_meanwhile = self.read()?;
            live.activity.touch(now);
            live.is_open()
        };
        is_there.then(|| Lease::new(live, Arc::clone(services)))
    }
}
