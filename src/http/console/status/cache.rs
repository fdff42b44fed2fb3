//! What was last read of the data, so that the status can be answered while the database is away, and often without counting often.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::db::{ServicePool, StoreError};
use crate::store::connections::{self, Connection};
use crate::store::duplicates;
use crate::store::sectors::{self, RowCounts};
use crate::store::sign_ins::{self, SignIn};

/// The longest wait for the lists of connections and sign-ins.
const READ_WAIT_MAX: Duration = Duration::from_secs(2);
/// A count is valid for this long, or for this many times as long as it took: counting takes at most a fiftieth of the time.
const COUNT_VALID_MIN: Duration = Duration::from_secs(5);
const COUNT_VALID_TIMES: u32 = 50;

/// The cache, shared by all requests; one refreshes it while the others wait.
#[derive(Clone)]
pub struct StatusCache {
    cached: Arc<Mutex<CachedFacts>>,
    /// The longest wait for the count of rows.
    count_wait_max: Duration,
}

#[derive(Default)]
struct CachedFacts {
    connections: Vec<Connection>,
    unfinished: Vec<SignIn>,
    duplicates_open: u64,
    rows: Option<RowCounts>,
    /// When the rows are to be counted again.
    stale_at: Option<Instant>,
}

/// What the status is made of.
pub struct StatusFacts {
    /// Whether the database answered just now.
    pub is_reachable: bool,
    pub connections: Vec<Connection>,
    /// Sign-ins whose account is not known yet.
    pub unfinished: Vec<SignIn>,
    /// How many accounts are asked about whether they are one.
    pub duplicates_open: u64,
    /// `None` until they could be counted once.
    pub rows: Option<RowCounts>,
}

impl StatusCache {
    /// An empty cache.
    pub fn new(count_wait_max: Duration) -> Self {
        Self {
            cached: Arc::default(),
            count_wait_max,
        }
    }

    /// Reads what can be read in time; the rest stays as it was last read.
    pub async fn refresh(&self, pool: &ServicePool) -> StatusFacts {
        let read = timeout(READ_WAIT_MAX, read(pool)).await;
        let read = read.unwrap_or(Err(StoreError::Busy));
        let mut cached = self.cached.lock().await;
        let is_reachable = read.is_ok();
        match read {
            Ok((connections, unfinished, duplicates_open)) => {
                cached.connections = connections;
                cached.unfinished = unfinished;
                cached.duplicates_open = duplicates_open;
            }
            Err(cause) => log::warn!("the status is told from memory: {cause}"),
        }
        if is_reachable && cached.is_stale() {
            cached.count(pool, self.count_wait_max).await;
        }
        StatusFacts {
            is_reachable,
            connections: cached.connections.clone(),
            unfinished: cached.unfinished.clone(),
            duplicates_open: cached.duplicates_open,
            rows: cached.rows.clone(),
        }
    }
}

async fn read(pool: &ServicePool) -> Result<(Vec<Connection>, Vec<SignIn>, u64), StoreError> {
    let connections = connections::list(pool).await?;
    let mut unfinished = sign_ins::list(pool).await?;
    unfinished.retain(|sign_in| sign_in.is_unfinished);
    let duplicates_open = duplicates::count_open(pool).await?;
    Ok((connections, unfinished, duplicates_open))
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
        let valid_for = COUNT_VALID_MIN.max(begun.elapsed() * COUNT_VALID_TIMES);
        self.stale_at = Some(Instant::now() + valid_for);
    }
}
