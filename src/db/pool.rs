//! The service's own pool, and how every pool is built; the readers' are in `readers`.
//!
//! It knows the settings of a new connection. It must not know a statement of the service.

mod limits;

use std::pin::Pin;
use std::time::Duration;

use deadpool_postgres::{
    ClientWrapper, Connect, Hook, HookError, Manager, ManagerConfig, Object, Pool, QueueMode,
    RecyclingMethod, Runtime,
};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::{Client, Config, Error};

pub use limits::PoolLimits;

use super::connect::{CONNECT_TIMEOUT, connect_until};
use super::error::StoreError;
use super::lock::Standing;
use super::process_mark::APPLICATION_NAME;
use super::reader::ExclusiveReader;

/// How long a caller waits for a free connection before it fails with [`StoreError::Busy`].
const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(5);
/// The time limit for an answer to a ping.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a statement waits for a lock of another transaction before it fails with [`StoreError::Busy`].
const LOCK_WAIT_MAX: Duration = Duration::from_secs(10);
/// An agent's statement may wait for a lock for this fraction of its time limit. So a statement that only waited fails as busy,
/// and not as too costly.
const READER_LOCK_SHARE: u32 = 3;
/// How long the server keeps an idle transaction open: its client may be behind a network that dropped the connection.
const IDLE_TRANSACTION_MAX: Duration = Duration::from_secs(60);
/// A connection that was unused for longer than this is pinged before it is given out again.
const TRUSTED_FOR: Duration = Duration::from_secs(2);

/// The present use of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    /// Connections in use.
    pub lent: usize,
    /// Open connections that are not in use.
    pub idle: usize,
    /// Callers that wait for a connection.
    pub waiting: usize,
    pub connections_max: usize,
}

impl PoolUse {
    pub(super) fn of(pool: &Pool) -> Self {
        let status = pool.status();
        Self {
            lent: status.size.saturating_sub(status.available),
            idle: status.available,
            waiting: status.waiting,
            connections_max: status.max_size,
        }
    }
}

/// The pool of connections as the owner of the database, for everything but agents' reads.
#[derive(Clone)]
pub struct ServicePool {
    pool: Pool,
    standing: Standing,
    drivers: Handle,
    ssl_mode: SslMode,
}

impl ServicePool {
    pub(super) fn new(
        config: Config,
        limits: PoolLimits,
        drivers: Handle,
        standing: Standing,
    ) -> Result<Self, StoreError> {
        let ssl_mode = config.get_ssl_mode();
        let dialer = Dialer {
            drivers: Some(drivers.clone()),
            standing: standing.clone(),
            setup: SessionSetup::Service,
        };
        let pool = build(config, dialer, limits.service_connections_max)?;
        Ok(Self {
            pool,
            standing,
            drivers,
            ssl_mode,
        })
    }

    /// A connection, once this process holds the lock on the database: a process that lost it must not write.
    ///
    /// # Errors
    /// When the lock is not held, no connection is free in time, or the database cannot be reached.
    pub async fn get(&self) -> Result<Object, StoreError> {
        self.standing.wait_until_held().await?;
        Ok(self.pool.get().await?)
    }

    /// A connection for one long read. Dropping it during a statement cancels the statement and closes the connection.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn exclusive(&self) -> Result<ExclusiveReader, StoreError> {
        let connection = self.get().await?;
        Ok(ExclusiveReader::new(
            connection,
            self.drivers.clone(),
            self.ssl_mode,
        ))
    }

    /// Whether the database answers within [`ANSWER_TIMEOUT`], for a health check.
    pub async fn answers(&self) -> bool {
        matches!(timeout(ANSWER_TIMEOUT, self.ping()).await, Ok(Ok(())))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let connection = self.get().await?;
        connection
            .batch_execute(include_str!("../../sql/statements/server/ping.sql"))
            .await?;
        Ok(())
    }

    /// Its present use.
    pub fn in_use(&self) -> PoolUse {
        PoolUse::of(&self.pool)
    }

    pub(super) fn close(&self) {
        self.pool.close();
    }
}

/// The role of a reader's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderEntry {
    /// The one it logged in with: the reader, or the owner if the operator chose so.
    AsConnected,
    /// It logs in as the owner and switches to the reader role.
    SetRole,
}

pub(super) fn build(
    mut config: Config,
    dialer: Dialer,
    connections_max: usize,
) -> Result<Pool, StoreError> {
    config
        .application_name(APPLICATION_NAME)
        .connect_timeout(CONNECT_TIMEOUT);
    let recycling = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    Pool::builder(Manager::from_connect(config, dialer, recycling))
        .max_size(connections_max)
        // The connection that was used last has the most statements prepared.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(CHECKOUT_TIMEOUT))
        .create_timeout(Some(CHECKOUT_TIMEOUT))
        .recycle_timeout(Some(CHECKOUT_TIMEOUT))
        .pre_recycle(Hook::async_fn(|connection, metrics| {
            Box::pin(check_alive(connection, metrics.last_used()))
        }))
        .build()
        .map_err(|error| StoreError::Fault {
            cause: error.to_string(),
        })
}

/// Pings a connection that was unused for a while: networks drop idle connections without telling either end.
async fn check_alive(connection: &ClientWrapper, unused_for: Duration) -> Result<(), HookError> {
    if unused_for < TRUSTED_FOR {
        return Ok(());
    }
    let ask = connection.batch_execute(include_str!("../../sql/statements/server/ping.sql"));
    match timeout(ANSWER_TIMEOUT, ask).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(HookError::Backend(error)),
        Err(_) => Err(HookError::message("the connection says nothing")),
    }
}

/// Opens the connections of a pool. Each is closed when the lock under which it was opened is lost: what began under the lock
/// must not be committed after its loss, and nobody should wait for an unresponsive server.
pub(super) struct Dialer {
    /// The runtime that drives the connections; `None` for that of the caller.
    pub(super) drivers: Option<Handle>,
    pub(super) standing: Standing,
    pub(super) setup: SessionSetup,
}

/// The settings of a new connection.
#[derive(Clone, Copy)]
pub(super) enum SessionSetup {
    Service,
    Reader {
        entry: ReaderEntry,
        statement_timeout: Duration,
    },
}

impl SessionSetup {
    /// Applies the settings before the connection is used. `SET ROLE` does not apply the settings of a role, so each reader's
    /// connection makes its own.
    async fn apply(self, client: &Client) -> Result<(), Error> {
        match self {
            Self::Service => set_up_service(client).await,
            Self::Reader {
                entry,
                statement_timeout,
            } => set_up_reader(client, entry, statement_timeout).await,
        }
    }
}

async fn set_up_service(client: &Client) -> Result<(), Error> {
    let settings = [LOCK_WAIT_MAX, IDLE_TRANSACTION_MAX].map(milliseconds);
    let [lock, idle] = &settings;
    client
        .query_one(
            include_str!("../../sql/statements/server/settle.sql"),
            &[lock, idle],
        )
        .await?;
    Ok(())
}

async fn set_up_reader(
    client: &Client,
    entry: ReaderEntry,
    statement_timeout: Duration,
) -> Result<(), Error> {
    let lock_wait = LOCK_WAIT_MAX.min(statement_timeout / READER_LOCK_SHARE);
    let (statement, lock) = (milliseconds(statement_timeout), milliseconds(lock_wait));
    client
        .query_one(
            include_str!("../../sql/statements/reader/settle.sql"),
            &[&statement, &lock],
        )
        .await?;
    if entry == ReaderEntry::SetRole {
        client
            .batch_execute(include_str!("../../sql/statements/reader/set_role.sql"))
            .await?;
    }
    Ok(())
}

/// A duration as a PostgreSQL setting: a number without a unit is in milliseconds.
fn milliseconds(duration: Duration) -> String {
    duration.as_millis().to_string()
}

impl Connect for Dialer {
    fn connect(
        &self,
        config: &Config,
    ) -> Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), Error>> + Send + '_>> {
        let config = config.clone();
        let lost = self.standing.lost();
        Box::pin(async move {
            let drivers = self.drivers.clone().unwrap_or_else(Handle::current);
            let (client, driver) = connect_until(&config, &drivers, lost).await?;
            self.setup.apply(&client).await?;
            Ok((client, driver))
        })
    }
}
