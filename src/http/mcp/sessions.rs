//! rmcp's session machinery under our ids: a session of the protocol lives exactly as long as its lease.
//!
//! The lease is opened or found (`request`) before rmcp is called and reaches `create_session` as a task-local. When the lease's gate
//! closes, a watcher closes rmcp's half; when rmcp's half ends first, the lease is ended. rmcp's own idle time-out is off:
//! the registry's sweep owns idling.
//!
//! A lease on a session that was taken up, of an earlier run or after it was idle, finds no such half: rmcp then asks `restore` for the handshake and plays it once
//! more. Until that is over the session is not there for anybody else, since its first message must be the handshake's.

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
    /// The lease of the request that is being passed on.
    pub static OPENED: Lease;
}

/// The lease of the request under way.
pub(super) fn opened() -> Option<Lease> {
    OPENED.try_with(Lease::clone).ok()
}

/// What rmcp calls its half of the leased session: each life of a session has a half of its own, since the end of one must not be
/// taken for the end of the next. A client knows the first alone.
pub(super) fn half_of(lease: &Lease) -> SessionId {
    match (lease.id().as_str(), lease.life()) {
        (id, 0) => id.into(),
        (id, life) => format!("{id}.{life}").into(),
    }
}

/// Why rmcp's half of a session failed; to its caller this is a 500.
#[derive(Debug)]
pub enum LeasedSessionsError {
    /// No lease was opened for this handshake, or it has served one already.
    NoLease,
    /// rmcp's machinery failed.
    Machinery(LocalSessionManagerError),
}

impl fmt::Display for LeasedSessionsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeasedSessionsError::NoLease => formatter.write_str("no lease for this session"),
            LeasedSessionsError::Machinery(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for LeasedSessionsError {}

impl From<LocalSessionManagerError> for LeasedSessionsError {
    fn from(error: LocalSessionManagerError) -> Self {
        LeasedSessionsError::Machinery(error)
    }
}

/// The live sessions of the protocol, each with its lease.
#[derive(Clone)]
pub struct LeasedSessions(Arc<Inner>);

struct Inner {
    machinery: LocalSessionManager,
    leases: Mutex<HashMap<SessionId, Lease>>,
    /// Those whose handshake is being played once more.
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
        let mut machinery = LocalSessionManager::default();
        machinery.session_config.keep_alive = None;
        machinery.session_config.completed_cache_ttl = FINISHED_ANSWER_KEPT;
        Self(Arc::new(Inner {
            machinery,
            leases: Mutex::default(),
            restoring: Mutex::default(),
        }))
    }

    /// How many sessions have a lease here, and how many a half in rmcp's machinery.
    pub async fn held(&self) -> (usize, usize) {
        let halves = self.0.machinery.sessions.read().await.len();
        let leases = self.0.leases.lock().unwrap_or_else(PoisonError::into_inner);
        (leases.len(), halves)
    }

    /// Closes rmcp's half when the lease's gate closes.
    fn watch(&self, id: SessionId, lease: Lease) {
        let sessions = self.clone();
        tokio::spawn(async move {
            lease.gate().closed().await;
            if let Err(error) = sessions.close_session(&id).await {
                log::warn!("a session's transport did not close: {error}");
            }
        });
    }

    fn remember(&self, id: SessionId, lease: Lease) {
        let mut leases = self.0.leases.lock().unwrap_or_else(PoisonError::into_inner);
        leases.insert(id, lease);
    }

    fn restoring(&self) -> MutexGuard<'_, HashSet<SessionId>> {
        self.0
            .restoring
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes rmcp's half of the leased session; none if it is there already.
    async fn make(&self, lease: Lease) -> Outcome<Option<(SessionId, SessionTransport)>> {
        let id = half_of(&lease);
        // The machinery's way to make a session under a given id.
        let RestoreOutcome::Restored(transport) =
            self.0.machinery.restore_session(id.clone()).await?
        else {
            return Ok(None);
        };
        self.remember(id.clone(), lease.clone());
        self.watch(id.clone(), lease);
        Ok(Some((id, transport)))
    }

    fn forget(&self, id: &SessionId) -> Option<Lease> {
        self.restoring().remove(id);
        let mut leases = self.0.leases.lock().unwrap_or_else(PoisonError::into_inner);
        leases.remove(id)
    }
}

type Outcome<T> = Result<T, LeasedSessionsError>;

impl SessionManager for LeasedSessions {
    type Error = LeasedSessionsError;
    type Transport = SessionTransport;

    async fn create_session(&self) -> Outcome<(SessionId, SessionTransport)> {
        let made = self.make(opened().ok_or(LeasedSessionsError::NoLease)?);
        made.await?.ok_or(LeasedSessionsError::NoLease)
    }

    /// A restoration that its request abandoned is not begun again: the session ends.
    async fn restore_session(&self, id: SessionId) -> Outcome<RestoreOutcome<SessionTransport>> {
        let Some(lease) = opened().filter(|lease| half_of(lease) == id) else {
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
    ) -> Outcome<ServerJsonRpcMessage> {
        Ok(self.0.machinery.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Outcome<bool> {
        Ok(!self.restoring().contains(id) && self.0.machinery.has_session(id).await?)
    }

    /// Closes both halves; closing twice is harmless.
    async fn close_session(&self, id: &SessionId) -> Outcome<()> {
        let lease = self.forget(id);
        let closed = self.0.machinery.close_session(id).await;
        if let Some(lease) = lease {
            lease.end().await;
        }
        Ok(closed?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Outcome<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        Ok(self.0.machinery.create_stream(id, message).await?)
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Outcome<()> {
        let accepted = self.0.machinery.accept_message(id, message).await;
        // The second message of a handshake is its last, and nothing else reaches a session that is being restored.
        self.restoring().remove(id);
        Ok(accepted?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Outcome<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        Ok(self.0.machinery.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Outcome<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static> {
        Ok(self.0.machinery.resume(id, last_event_id).await?)
    }
}
