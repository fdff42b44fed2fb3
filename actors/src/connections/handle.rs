use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use futures_util::future::join_all;
use uuid::Uuid;

use super::actor::Reload;
use super::published::ConnectionChange;
use super::{
    ConnectionSnapshot, ConnectionsActor, Fetched, NotBegun, PublishedConnections, SourceReaders,
};
use crate::domain::{ConnectionState, KnownConnection, Sector};
use crate::limits::{CHANGED_PATIENCE, PROGRESS_PATIENCE};
use crate::ports::PortError;
use crate::supervise::{RestartRefusal, ask};
use crate::sync::{AskedRound, OnSettled, SyncHandle};

/// The handle of the connections: the published snapshot, reloading, fetching.
#[derive(Clone)]
pub struct ConnectionsHandle {
    connections: Addr<ConnectionsActor>,
    published: Arc<PublishedConnections>,
    readers: Arc<SourceReaders>,
}

impl ConnectionsHandle {
    pub(crate) fn new(
        connections: Addr<ConnectionsActor>,
        published: Arc<PublishedConnections>,
        readers: Arc<SourceReaders>,
    ) -> Self {
        Self {
            connections,
            published,
            readers,
        }
    }

    /// The connections as published: a read, no message, no database.
    pub fn snapshot(&self) -> Arc<ConnectionSnapshot> {
        self.published.snapshot()
    }

    pub(crate) fn readers(&self) -> Arc<SourceReaders> {
        Arc::clone(&self.readers)
    }

    /// What publishes how a connection fares whenever it is called, without waiting for that, and has those that it names read their plans
    /// again; nothing once the actor is gone.
    pub(crate) fn progress_publisher(connections: &Addr<ConnectionsActor>) -> OnSettled {
        let connections = connections.downgrade();
        Arc::new(move |changed| {
            let Some(connections) = connections.upgrade() else {
                return;
            };
            let changed = changed.iter().copied().map(ConnectionChange::Connection);
            for change in [ConnectionChange::Progress].into_iter().chain(changed) {
                connections.do_send(Reload { change });
            }
        })
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

    /// Fetches from every active connection of the sector, at the same time and by its ordinary round, for no longer than that; what is
    /// under way then goes on. By label; empty when there is none. What was fetched is published by then, or the snapshot says that it
    /// is not current.
    pub async fn fetch(&self, sector: Sector, patience: Duration) -> Vec<Fetched> {
        let snapshot = self.snapshot();
        let is_asked =
            |row: &&KnownConnection| row.sector == sector && row.state == ConnectionState::Active;
        let asked: Vec<&KnownConnection> = snapshot.values().filter(is_asked).collect();
        let fetching = asked.iter().map(|row| self.fetch_one(row, patience));
        let mut fetched = join_all(fetching).await;
        if asked.iter().any(|row| !row.is_pushed())
            && let Err(error) = self.reload_progress().await
        {
            log::warn!("what was fetched could not be published yet: {error}");
        }
        fetched.sort_by(|one, other| one.connection.cmp(&other.connection));
        fetched
    }

    async fn fetch_one(&self, connection: &KnownConnection, patience: Duration) -> Fetched {
        if connection.is_pushed() {
            return Fetched::pushed(connection);
        }
        let Some(reader) = self.readers.get(connection.id) else {
            return Fetched::not_started(connection);
        };
        if self.readers.is_resting(connection.id) {
            return Fetched::resting(connection);
        }
        Fetched::after(connection, reader.sync_within(patience).await)
    }

    /// Joins the round of a connection, or begins one; does not wait for its end.
    ///
    /// # Errors
    /// Why none runs.
    pub async fn sync_now(&self, connection: Uuid) -> Result<AskedRound, NotBegun> {
        let reader = self.reader(connection)?;
        if self.readers.is_resting(connection) {
            return Err(NotBegun::Resting);
        }
        Ok(reader.begin().await?)
    }

    /// Restarts the actor of one connection; the others go on (r506). A round is begun, though not before its source wants to be asked.
    ///
    /// # Errors
    /// Why it has none that could be restarted; `Busy` when it has not restarted in time.
    pub async fn restart(&self, connection: Uuid) -> Result<(), NotBegun> {
        let reader = self.reader(connection)?;
        reader.begin_when_started();
        let restarted = self.readers.restart(connection).await;
        restarted.map_err(|refusal| match refusal {
            RestartRefusal::NotRunning => NotBegun::Resting,
            _ => NotBegun::Busy,
        })
    }

    /// Whether the actor of a connection crashed too often, and rests for an hour.
    pub fn is_parked(&self, connection: Uuid) -> bool {
        self.readers.is_parked(connection)
    }

    fn reader(&self, connection: Uuid) -> Result<SyncHandle, NotBegun> {
        let snapshot = self.snapshot();
        let row = snapshot.get(&connection).ok_or(NotBegun::Unknown)?;
        if row.is_pushed() {
            return Err(NotBegun::IsPushed);
        }
        if row.state == ConnectionState::Paused {
            return Err(NotBegun::Paused);
        }
        self.readers.get(connection).ok_or(NotBegun::Busy)
    }

    /// Halts all connections at the end of their pages; none begins any more.
    pub(crate) async fn halt(&self) {
        match self.readers.close().await {
            0 => {}
            left => log::error!("{left} connections did not halt in time"),
        }
    }
}
