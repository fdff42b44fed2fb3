use std::collections::HashMap;
use std::sync::Arc;

use actix::Addr;
use uuid::Uuid;

use super::actor::{Fetch, HaltAll, Reload};
use super::fetch::unreached_connections;
use super::{ConnectionsActor, Fetched, PublishedConnections, UNAVAILABLE};
use crate::domain::{PushConnection, Sector};
use crate::limits::{CHANGED_PATIENCE, FETCH_PATIENCE, HALT_DEADLINE};
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
    pub fn snapshot(&self) -> Arc<HashMap<Uuid, PushConnection>> {
        self.published.snapshot()
    }

    /// Reads the connections again after `changed` was written, and publishes them.
    ///
    /// # Errors
    /// When the database cannot be read; the old snapshot then stays, without `changed`, which is refused until it has been read.
    pub async fn reload(&self, changed: Uuid) -> Result<(), PortError> {
        match ask(&self.connections, Reload { id: changed }, CHANGED_PATIENCE).await {
            Ok(read) => read,
            Err(cause) => {
                self.published.refuse(changed);
                self.connections.do_send(Reload { id: changed });
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
