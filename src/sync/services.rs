//! What rounds work with.

use std::fmt;
use std::num::NonZero;
use std::sync::Arc;

use chrono_tz::Tz;
use sextant_actors::clock::Clock;
use sextant_actors::sign_ins::SignInsHandle;
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
    /// Access tokens of sign-ins at which a person has consented.
    pub sign_ins: SignInsHandle,
    pub(super) rounds: Arc<Semaphore>,
    pub(super) commits: Arc<Semaphore>,
}

impl SyncParts {
    pub(crate) fn new(
        (pool, clock, zone): (ServicePool, Arc<dyn Clock>, Tz),
        providers: SourceProviders,
        keys: CredentialKeys,
        homes: LiveHomes,
        sign_ins: SignInsHandle,
    ) -> Self {
        Self {
            pool,
            clock,
            zone,
            providers,
            keys,
            homes,
            sign_ins,
            rounds: Arc::new(Semaphore::new(ROUNDS_AT_ONCE_MAX)),
            commits: Arc::new(Semaphore::new(commits_at_once())),
        }
    }
}

/// Pages that are stored at one time: with half of the cores, so that edits and calls have the others.
fn commits_at_once() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    (cores / 2).clamp(1, COMMITS_AT_ONCE_MAX)
}

impl fmt::Debug for SyncParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncParts").finish_non_exhaustive()
    }
}
