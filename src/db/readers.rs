//! The readers: connections of the reader role, in pools of their own, so that no read takes what another kind needs.

use deadpool_postgres::Pool;
use tokio::runtime::Handle;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use super::error::StoreError;
use super::lock::Standing;
use super::pool::{Dialer, Greeting, PoolLimits, PoolUse, ReaderEntry, build};
use super::reader::{ExclusiveReader, GoingOn};
use crate::capacity::Slot;

/// What one agent may have of the connections for other reads: with two a core, half of the cores.
const AGENT_SHARE: usize = 4;

/// Connections of the reader role, each used by one read at a time. Each is driven by the thread that first needed it, so that an answer
/// need not change threads to reach its call; one that ends with its thread is given up for another.
#[derive(Clone)]
pub struct ReaderPool {
    pool: Pool,
    drivers: Handle,
    ssl_mode: SslMode,
}

/// The readers, by what they are for.
#[derive(Clone)]
pub struct Readers {
    /// Agents' reads that go by a key or an index.
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
        let greeting = Greeting::Reader {
            entry,
            statement_timeout: limits.reader_statement_timeout,
        };
        let pool = |connections_max| -> Result<ReaderPool, StoreError> {
            let dialer = Dialer {
                drivers: None,
                standing: standing.clone(),
                greeting,
            };
            Ok(ReaderPool {
                pool: build(config.clone(), dialer, connections_max)?,
                drivers: drivers.clone(),
                ssl_mode: config.get_ssl_mode(),
            })
        };
        Ok(Self {
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
        for pool in [&self.cheap, &self.other, &self.operator] {
            pool.pool.close();
        }
    }
}

impl ReaderPool {
    /// A connection for one read; dropped in the middle of a statement it cancels it.
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

    /// The same under a permit, which is given back with the connection; if that is given up, once another can be had in its place. A
    /// connection that is being made is made to its end, whether or not anybody waits for it: whoever asks and leaves again and again
    /// would else have the server begin one after the other.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn get_under(&self, permit: Slot) -> Result<ExclusiveReader, StoreError> {
        let readers = self.clone();
        let made = async move { Ok(readers.get().await?.under(permit, readers.pool.clone())) };
        GoingOn::new(self.drivers.clone(), made).await
    }

    /// How it is used.
    pub fn in_use(&self) -> PoolUse {
        PoolUse::of(&self.pool)
    }
}
