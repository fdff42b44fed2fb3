//! rmcp's session manager under the ids of the leases: the transport of a session lives exactly as long as its lease.
//!
//! The lease is opened or found (`request`) before rmcp is called, and reaches `create_session` as a task-local. When the lease's
//! gate closes, a watcher closes the transport; when the transport ends first, the lease is ended. rmcp's own idle time-out is
//! off: the session actors end idle sessions.
//!
//! A session that is resumed, after a restart or after it was idle, has a lease and no transport: rmcp then loads its handshake
//! from `restore` and replays it. Until that is done no other request finds the session, since its first message must be the
//! handshake's.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionTransport,
};
use rmcp::transport::streamable_http_server::{RestoreOutcome, SessionId, SessionManager};
use sextant_actors::sessions::Lease;

use super::limits::FINISHED_ANSWER_KEPT;

tokio::task_local! {
    /// The lease of the request that is passed to rmcp.
    pub(super) static CURRENT_LEASE: Lease;
}

/// The lease of the request under way.
pub(super) fn current_lease() -> Option<Lease> {
    CURRENT_LEASE.try_with(Lease::clone).ok()
}

/// The id of the transport of a leased session. A resumed session gets a new transport under a new id, so that the end of the old
/// one does not end the new one. A client knows the first id only.
pub(super) fn transport_id(lease: &Lease) -> SessionId {
    match (lease.id().as_str(), lease.life()) {
        (id, 0) => id.into(),
        (id, life) => format!("{id}.{life}").into(),
    }
}

/// Why rmcp could not make or use a session's transport; rmcp answers it with a 500.
#[derive(Debug)]
pub enum LeasedSessionsError {
    /// No lease was opened for this handshake, or it has served one already.
    NoLease,
    /// rmcp's session manager failed.
    Manager(LocalSessionManagerError),
}

impl fmt::Display for LeasedSessionsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeasedSessionsError::NoLease => formatter.write_str("no lease for this session"),
            LeasedSessionsError::Manager(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for LeasedSessionsError {}

impl From<LocalSessionManagerError> for LeasedSessionsError {
    fn from(error: LocalSessionManagerError) -> Self {
        LeasedSessionsError::Manager(error)
    }
}

/// The open transports, each with its lease.
#[derive(Clone)]
pub struct LeasedSessions(Arc<SharedSessions>);

struct SharedSessions {
    manager: LocalSessionManager,
    leases: Mutex<HashMap<SessionId, Lease>>,
    /// Transports whose handshake is being replayed.
    restoring: Mutex<HashSet<SessionId>>,
}

impl Default for LeasedSessions {
    fn default() -> Self {
        Self::new()
    }
}

impl LeasedSessions {
    /// No session yet.
    pub fn new() -> Self {
        let mut manager = LocalSessionManager::default();
        manager.session_config.keep_alive = None;
        manager.session_config.completed_cache_ttl = FINISHED_ANSWER_KEPT;
        Self(Arc::new(SharedSessions {
            manager,
            leases: Mutex::default(),
            restoring: Mutex::default(),
        }))
    }

    /// The number of leases kept here, and of transports in rmcp's manager.
    pub async fn held(&self) -> (usize, usize) {
        let transports = self.0.manager.sessions.read().await.len();
        let leases = self.0.leases.lock().unwrap_or_else(PoisonError::into_inner);
        (leases.len(), transports)
    }

    /// Closes the transport when the lease's gate has closed, after its streams have been woken to say so.
    fn watch(&self, id: SessionId, lease: Lease) {
        let sessions = self.clone();
        tokio::spawn(async move {
            lease.gate().settled().await;
            if let Err(error) = sessions.close_session(&id).await {
                log::warn!("a session's transport did not close: {error}");
            }
        });
    }

    fn insert(&self, id: SessionId, lease: Lease) {
        let mut leases = self.0.leases.lock().unwrap_or_else(PoisonError::into_inner);
        leases.insert(id, lease);
    }

    fn restoring(&self) -> MutexGuard<'_, HashSet<SessionId>> {
        self.0
            .restoring
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the transport of the leased session; `None` if there is one already.
    async fn make(&self, lease: Lease) -> SessionResult<Option<(SessionId, SessionTransport)>> {
        let id = transport_id(&lease);
        // The manager makes a session under a given id only by restoring it.
        let RestoreOutcome::Restored(transport) =
            self.0.manager.restore_session(id.clone()).await?
        else {
            return Ok(None);
        };
        self.insert(id.clone(), lease.clone());
        self.watch(id.clone(), lease);
        Ok(Some((id, transport)))
    }

    fn remove(&self, id: &SessionId) -> Option<Lease> {
        self.restoring().remove(id);
        let mut leases = self.0.leases.lock().unwrap_or_else(PoisonError::into_inner);
        leases.remove(id)
    }
}

type SessionResult<T> = Result<T, LeasedSessionsError>;

impl SessionManager for LeasedSessions {
    type Error = LeasedSessionsError;
    type Transport = SessionTransport;

    async fn create_session(&self) -> SessionResult<(SessionId, SessionTransport)> {
        let made = self.make(current_lease().ok_or(LeasedSessionsError::NoLease)?);
        made.await?.ok_or(LeasedSessionsError::NoLease)
    }

    /// If an earlier restoration was abandoned with its request, the session ends.
    async fn restore_session(
        &self,
        id: SessionId,
    ) -> SessionResult<RestoreOutcome<SessionTransport>> {
        let Some(lease) = current_lease().filter(|lease| transport_id(lease) == id) else {
            return Ok(RestoreOutcome::NotSupported);
        };
        self.restoring().insert(id);
        match self.make(lease.clone()).await? {
            Some((_, transport)) => Ok(RestoreOutcome::Restored(transport)),
            None => {
                lease.end().await;
                Ok(RestoreOutcome::NotSupported)
            }
        }
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> SessionResult<ServerJsonRpcMessage> {
        Ok(self.0.manager.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> SessionResult<bool> {
        Ok(!self.restoring().contains(id) && self.0.manager.has_session(id).await?)
    }

    /// Closes the transport and ends the lease; closing twice is harmless.
    async fn close_session(&self, id: &SessionId) -> SessionResult<()> {
        let lease = self.remove(id);
        let closed = self.0.manager.close_session(id).await;
        if let Some(lease) = lease {
            lease.end().await;
        }
        Ok(closed?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> SessionResult<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        Ok(self.0.manager.create_stream(id, message).await?)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> SessionResult<()> {
        let accepted = self.0.manager.accept_message(id, message).await;
        // The second message of a handshake is its last, and nothing else reaches a session that is being restored.
        self.restoring().remove(id);
        Ok(accepted?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> SessionResult<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        Ok(self.0.manager.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> SessionResult<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        Ok(self.0.manager.resume(id, last_event_id).await?)
    }
}
