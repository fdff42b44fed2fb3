//! What was last known of the data, so that it can be told with the database away, and told often without being counted often.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::db::{ServicePool, StoreError};
use crate::store::connections::{self, Connection};
use crate::store::sectors::{self, RowCounts};

/// The longest that the database is waited for.
const READ_WAIT_MAX: Duration = Duration::from_secs(2);
/// A count stands for this long, or for so many times as long as it took: counting is never more than a fiftieth of the work.
const COUNT_STANDS: Duration = Duration::from_secs(5);
const COUNT_STANDS_TIMES: u32 = 50;

/// Shared by everyone who asks; one refreshes it, the others wait for that.
#[derive(Clone)]
pub struct StatusCache {
    memory: Arc<Mutex<CachedFacts>>,
    /// The longest that counting rows is waited for.
    count_wait_max: Duration,
}

#[derive(Default)]
struct CachedFacts {
    connections: Vec<Connection>,
    rows: Option<RowCounts>,
    /// When the rows are to be counted again.
    stale_at: Option<Instant>,
}

/// What is known now.
pub struct StatusFacts {
    /// Whether the database answered just now.
    pub is_reachable: bool,
    pub connections: Vec<Connection>,
    /// None until they could be counted once.
    pub rows: Option<RowCounts>,
}

impl StatusCache {
    /// Nothing is known yet.
    pub fn new(count_wait_max: Duration) -> Self {
        Self {
            memory: Arc::default(),
            count_wait_max,
        }
    }

    /// Reads what can be read in time; what cannot stays as it was known.
    pub async fn refresh(&self, pool: &ServicePool) -> StatusFacts {
        let read = timeout(READ_WAIT_MAX, connections::list(pool)).await;
        let read = read.unwrap_or(Err(StoreError::Busy));
        let mut memory = self.memory.lock().await;
        let is_reachable = read.is_ok();
        match read {
            Ok(connections) => memory.connections = connections,
            Err(cause) => log::warn!("the status is told from memory: {cause}"),
        }
        if is_reachable && memory.is_stale() {
            memory.count(pool, self.count_wait_max).await;
        }
        StatusFacts {
            is_reachable,
            connections: memory.connections.clone(),
            rows: memory.rows.clone(),
        }
    }
}

impl CachedFacts {
    fn is_stale(&self) -> bool {
        self.stale_at.is_none_or(|at| at <= Instant::now())
    }

    async fn count(&mut self, pool: &ServicePool, wait_max: Duration) {
        let begun = Instant::now();
        match timeout(wait_max, sectors::rows(pool)).await {
            Ok(Ok(rows)) => self.rows = Some(rows),
            Ok(Err(cause)) => log::warn!("the rows could not be counted: {cause}"),
            Err(_) => log::warn!("the rows could not be counted in time"),
        }
        let stands = COUNT_STANDS.max(begun.elapsed() * COUNT_STANDS_TIMES);
        self.stale_at = Some(Instant::now() + stands);
    }
}
