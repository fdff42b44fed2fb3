//! The pools of the reader role, one for each kind of read, so that no kind exhausts the connections of another, and the connections
//! that cheap reads share.

use deadpool_postgres::Pool;
use tokio::runtime::Handle;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use super::error::StoreError;
use super::lock::Standing;
use super::pipe::{PIPED_STATEMENT_TIMEOUT, Pipes};
use super::pool::{Dialer, PoolLimits, PoolUse, ReaderEntry, SessionSetup, build};
use super::reader::{Detached, ExclusiveReader};
use crate::capacity::Slot;

/// The fraction of the connections for other reads that one agent may use: with two a core, as many as half of the cores.
const AGENT_SHARE: usize = 4;

/// A pool of connections of the reader role, each used by one read at a time. Each is driven by the thread that opened it, so that
/// an answer does not change threads on its way to the call; one that ended with its thread is replaced.
#[derive(Clone)]
pub struct ReaderPool {
    pool: Pool,
    drivers: Handle,
    ssl_mode: SslMode,
}

/// The pools of the reader role.
#[derive(Clone)]
pub struct Readers {
    /// The connections that agents' reads by a key or an index share.
    pub pipes: Pipes,
    /// For those of them that get no answer there.
    pub cheap: ReaderPool,
    /// All other reads of agents.
    pub other: ReaderPool,
    /// The operator's own.
    pub operator: ReaderPool,
}

impl Readers {
    pub(super) fn new(
        config: &Config,
        limits: PoolLimits,
        drivers: &Handle,
        standing: &Standing,
        entry: ReaderEntry,
    ) -> Result<Self, StoreError> {
        let setup = SessionSetup::Reader {
            entry,
            statement_timeout: limits.reader_statement_timeout,
        };
        let pool = |connections_max| -> Result<ReaderPool, StoreError> {
            let dialer = Dialer {
                drivers: None,
                standing: standing.clone(),
                setup,
            };
            Ok(ReaderPool {
                pool: build(config.clone(), dialer, connections_max)?,
                drivers: drivers.clone(),
                ssl_mode: config.get_ssl_mode(),
            })
        };
        let piped = Dialer {
            drivers: None,
            standing: standing.clone(),
            setup: SessionSetup::Reader {
                entry,
                statement_timeout: PIPED_STATEMENT_TIMEOUT.min(limits.reader_statement_timeout),
            },
        };
        Ok(Self {
            pipes: Pipes::new(config.clone(), piped, limits.pipes_max),
            cheap: pool(limits.cheap_connections_max)?,
            other: pool(limits.other_connections_max)?,
            operator: pool(limits.operator_connections_max)?,
        })
    }

    /// How many other reads one agent may run at once.
    pub fn agent_share(&self) -> usize {
        (self.other.in_use().connections_max / AGENT_SHARE).max(1)
    }

    pub(super) fn close(&self) {
        self.pipes.close();
        for pool in [&self.cheap, &self.other, &self.operator] {
            pool.pool.close();
        }
    }
}

impl ReaderPool {
    /// A connection for one read. Dropping it during a statement cancels the statement.
    ///
    /// # Errors
    /// When none is free in time, or the database cannot be reached.
    pub async fn get(&self) -> Result<ExclusiveReader, StoreError> {
        let connection = self.pool.get().await?;
        Ok(ExclusiveReader::new(
            connection,
            self.drivers.clone(),
            self.ssl_mode,
        ))
    }

    /// A connection for one read that occupies `permit`. The slot is freed with the connection; if that is closed, once another
    /// can be opened in its place. Opening a connection is always completed, even if the caller leaves: otherwise callers that
    /// come and leave would make the server begin one connection after the other.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn get_under(&self, permit: Slot) -> Result<ExclusiveReader, StoreError> {
        let readers = self.clone();
        let made = async move { Ok(readers.get().await?.under(permit, readers.pool.clone())) };
        Detached::new(self.drivers.clone(), made).await
    }

    /// The runtime for work that nobody waits for any more.
    pub const fn drivers(&self) -> &Handle {
        &self.drivers
    }

    /// Its present use.
    pub fn in_use(&self) -> PoolUse {
        PoolUse::of(&self.pool)
    }
}
