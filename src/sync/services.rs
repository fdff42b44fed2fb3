//! What rounds work with.

use std::fmt;
use std::sync::Arc;

use chrono_tz::Tz;
use sextant_actors::clock::Clock;
use tokio::sync::Semaphore;

use super::homes::LiveHomes;
use super::limits::{COMMITS_AT_ONCE_MAX, ROUNDS_AT_ONCE_MAX};
use crate::db::ServicePool;
use crate::providers::SourceProviders;
use crate::sealing::CredentialKeys;

/// What rounds work with, shared by all of them.
#[derive(Clone)]
pub(crate) struct SyncParts {
    pub pool: ServicePool,
    pub clock: Arc<dyn Clock>,
    pub zone: Tz,
    pub providers: SourceProviders,
    pub keys: CredentialKeys,
    pub homes: LiveHomes,
    pub(super) rounds: Arc<Semaphore>,
    pub(super) commits: Arc<Semaphore>,
}

impl SyncParts {
    pub(crate) fn new(
        (pool, clock, zone): (ServicePool, Arc<dyn Clock>, Tz),
        providers: SourceProviders,
        keys: CredentialKeys,
        homes: LiveHomes,
    ) -> Self {
        Self {
            pool,
            clock,
            zone,
            providers,
            keys,
            homes,
            rounds: Arc::new(Semaphore::new(ROUNDS_AT_ONCE_MAX)),
            commits: Arc::new(Semaphore::new(COMMITS_AT_ONCE_MAX)),
        }
    }
}

impl fmt::Debug for SyncParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncParts").finish_non_exhaustive()
    }
}
