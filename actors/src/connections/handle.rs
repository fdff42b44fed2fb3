use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use uuid::Uuid;

use super::actor::{Fetch, HaltAll, Reload};
use super::fetch::unreached_connections;
use super::published::ConnectionChange;
use super::{ConnectionSnapshot, ConnectionsActor, Fetched, PublishedConnections, UNAVAILABLE};
use crate::domain::Sector;
use crate::limits::{CHANGED_PATIENCE, FETCH_PATIENCE, HALT_DEADLINE, PROGRESS_PATIENCE};
use crate::ports::PortError;
use crate::supervise::ask;

/// The handle of the connections: the published snapshot, reloading, fetching.
#[derive(Clone)]
pub struct ConnectionsHandle {
    connections: Addr<ConnectionsActor>,
    published: Arc<PublishedConnections>,
}

impl ConnectionsHandle {
    pub(crate) fn new(
        connections: Addr<ConnectionsActor>,
        published: Arc<PublishedConnections>,
    ) -> Self {
        Self {
            connections,
            published,
        }
    }

    /// The connections as published: a read, no message, no database.
    pub fn snapshot(&self) -> Arc<ConnectionSnapshot> {
        self.published.snapshot()
    }

    /// Reads the connections again after `changed` was written, and publishes them.
    ///
    /// # Errors
    /// When the database cannot be read; the old snapshot then stays, without `changed`, which is refused until it has been read.
    pub async fn reload(&self, changed: Uuid) -> Result<(), PortError> {
        let change = ConnectionChange::Connection(changed);
        self.reload_after(change, CHANGED_PATIENCE).await
    }

    /// Reads the connections again after a push or a sync noted how it fared, and publishes them: for whoever writes
    /// `last_success_at`, `health` or `problem`.
    ///
    /// # Errors
    /// When the database cannot be read; the old snapshot then stays and is not current until it has been read.
    pub async fn reload_progress(&self) -> Result<(), PortError> {
        self.reload_after(ConnectionChange::Progress, PROGRESS_PATIENCE)
            .await
    }

    async fn reload_after(
        &self,
        change: ConnectionChange,
        patience: Duration,
    ) -> Result<(), PortError> {
        match ask(&self.connections, Reload { change }, patience).await {
            Ok(read) => read,
            Err(cause) => {
                self.published.mark_unread(change);
                self.connections.do_send(Reload { change });
                Err(PortError::Unavailable(format!(
                    "the connections' actor gave no answer ({cause:?})"
                )))
            }
        }
    }

    /// Fetches from every active connection of the sector; empty when there is none.
    pub async fn fetch(&self, sector: Sector) -> Vec<Fetched> {
        match ask(&self.connections, Fetch { sector }, FETCH_PATIENCE).await {
            Ok(fetched) => fetched,
            Err(_) => unreached_connections(
                &self.snapshot(),
                sector,
                UNAVAILABLE,
                "the connections are being restarted; try again in a few seconds",
            ),
        }
    }

    /// Halts all connections.
    pub(crate) async fn halt(&self) {
        if let Err(cause) = ask(&self.connections, HaltAll, HALT_DEADLINE).await {
            log::error!("the connections did not halt: {cause:?}");
        }
    }
}
