//! The service's own pool, and what every pool is made of; the readers' are in `readers`.
//!
//! Knows how a connection introduces itself. Must not know a statement of the service.

use std::num::NonZero;
use std::pin::Pin;
use std::thread;
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

use super::connect::{CONNECT_TIMEOUT, connect_until};
use super::error::StoreError;
use super::lock::Standing;
use super::process_mark::APPLICATION_NAME;
use super::reader::ExclusiveReader;

/// How long a caller waits for a free connection before it is told that the store is busy.
const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(5);
/// For a health check's question.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a statement waits for a lock that somebody else holds before its caller is told that the store is busy.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(10);
/// The part of an agent's time that may go to waiting for a lock: who waited is told so, and not that it asked for too much.
const READER_LOCK_SHARE: u32 = 3;
/// How long the server keeps a transaction whose owner says nothing: it may be behind a network that forgot it.
const IDLE_TRANSACTION_MAX: Duration = Duration::from_secs(60);
/// A connection that was last lent so long ago is asked whether it is there before it is lent again.
const TRUSTED_FOR: Duration = Duration::from_secs(2);

/// Reads beside the cheap ones that all agents together run for each core: one that computes, and one that waits for the disk.
const OTHER_READS_PER_CORE: usize = 2;
/// The most of them, however many cores there are: PostgreSQL takes 97 connections unless it is told otherwise, and those that were
/// given up may be there for a moment beside the ones that replace them.
const OTHER_READS_MAX: usize = 24;

/// Sizes and times of the pools.
#[derive(Clone, Copy, Debug)]
pub struct PoolLimits {
    pub service_connections_max: usize,
    /// For agents' reads that go by a key or an index.
    pub cheap_connections_max: usize,
    /// For all other reads of agents.
    pub other_connections_max: usize,
    /// For the operator's own reads, whatever agents do.
    pub operator_connections_max: usize,
    /// The longest an agent's statement may run.
    pub reader_statement_timeout: Duration,
}

impl Default for PoolLimits {
    fn default() -> Self {
        Self::of_cores(thread::available_parallelism().map_or(1, NonZero::get))
    }
}

impl PoolLimits {
    /// The limits on a computer of so many cores.
    fn of_cores(cores: usize) -> Self {
        Self {
            service_connections_max: 16,
            cheap_connections_max: 16,
            other_connections_max: (OTHER_READS_PER_CORE * cores).clamp(1, OTHER_READS_MAX),
            operator_connections_max: 2,
            reader_statement_timeout: Duration::from_secs(30),
        }
    }

    /// The connections of all pools, and that of the lock.
    pub const fn connections_max(&self) -> usize {
        self.service_connections_max
            + self.cheap_connections_max
            + self.other_connections_max
            + self.operator_connections_max
            + 1
    }
}

/// How a pool is used at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    /// Connections that are lent.
    pub lent: usize,
    /// Connections that nobody has.
    pub idle: usize,
    /// Callers that wait for one.
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

/// Connections as the owner: everything but agents' reads.
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
            greeting: Greeting::Service,
        };
        let pool = build(config, dialer, limits.service_connections_max)?;
        Ok(Self {
            pool,
            standing,
            drivers,
            ssl_mode,
        })
    }

    /// A connection, once the lock on the database is surely this process's: a process that lost it writes nothing.
    pub async fn get(&self) -> Result<Object, StoreError> {
        self.standing.held().await?;
        Ok(self.pool.get().await?)
    }

    /// A connection for one long read; dropped in the middle of it, what runs is cancelled and the connection closed.
    pub async fn exclusive(&self) -> Result<ExclusiveReader, StoreError> {
        let connection = self.get().await?;
        Ok(ExclusiveReader::new(
            connection,
            self.drivers.clone(),
            self.ssl_mode,
        ))
    }

    /// Whether the database answers now; bounded, for a health check.
    pub async fn answers(&self) -> bool {
        matches!(timeout(ANSWER_TIMEOUT, self.ask()).await, Ok(Ok(())))
    }

    async fn ask(&self) -> Result<(), StoreError> {
        let connection = self.get().await?;
        connection
            .batch_execute(include_str!("../../sql/statements/server/ping.sql"))
            .await?;
        Ok(())
    }

    /// How it is used.
    pub fn in_use(&self) -> PoolUse {
        PoolUse::of(&self.pool)
    }

    pub(super) fn close(&self) {
        self.pool.close();
    }
}

/// How a reader connection becomes the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReaderEntry {
    /// It connected as the reader, or stays the owner because the operator said so.
    AsConnected,
    /// It connected as the owner and puts the role on.
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
        // The one that was used last knows its statements best.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(CHECKOUT_TIMEOUT))
        .create_timeout(Some(CHECKOUT_TIMEOUT))
        .recycle_timeout(Some(CHECKOUT_TIMEOUT))
        .pre_recycle(Hook::async_fn(|connection, metrics| {
            Box::pin(still_there(connection, metrics.last_used()))
        }))
        .build()
        .map_err(|error| StoreError::Fault {
            cause: error.to_string(),
        })
}

/// A network forgets connections that are idle without telling either end: such a one is given up for another.
async fn still_there(connection: &ClientWrapper, unused_for: Duration) -> Result<(), HookError> {
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

/// Makes the connections of a pool, on the drivers' runtime or on that of whoever asks. They end with the lock under which they were made: nothing
/// that was begun under it is finished after it was lost, and nobody waits for a server that says nothing any more.
pub(super) struct Dialer {
    /// None: the runtime of whoever asks.
    pub(super) drivers: Option<Handle>,
    pub(super) standing: Standing,
    pub(super) greeting: Greeting,
}

#[derive(Clone, Copy)]
pub(super) enum Greeting {
    Service,
    Reader {
        entry: ReaderEntry,
        statement_timeout: Duration,
    },
}

impl Greeting {
    /// What a connection says before it is used. Settings of a role do not come with `SET ROLE`, so that every
    /// reader makes its own.
    async fn say(self, client: &Client) -> Result<(), Error> {
        match self {
            Self::Service => greet(client).await,
            Self::Reader {
                entry,
                statement_timeout,
            } => greet_as_reader(client, entry, statement_timeout).await,
        }
    }
}

async fn greet(client: &Client) -> Result<(), Error> {
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

async fn greet_as_reader(
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

/// As PostgreSQL takes a duration without a unit.
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
            self.greeting.say(&client).await?;
            Ok((client, driver))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What PostgreSQL takes unless it is told otherwise, without those it keeps for superusers.
    const SERVER_CONNECTIONS: usize = 97;

    #[test]
    fn all_pools_together_fit_into_a_server_even_while_given_up_readers_are_replaced() {
        for cores in 0..=1024 {
            let limits = PoolLimits::of_cores(cores);
            let replaced = limits.other_connections_max + limits.operator_connections_max;
            assert!(
                limits.connections_max() + replaced <= SERVER_CONNECTIONS,
                "{limits:?}"
            );
        }
        assert_eq!(PoolLimits::of_cores(2).other_connections_max, 4);
        assert_eq!(PoolLimits::of_cores(8).other_connections_max, 16);
    }
}
