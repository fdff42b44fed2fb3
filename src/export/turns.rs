//! How many exports are made at once, and how all of them are ended when the service stops.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::Limits;

/// The turns of a service.
#[derive(Clone, Debug)]
pub struct Turns {
    free: Arc<Semaphore>,
    stop: CancellationToken,
    limits: Limits,
}

/// Held until an export has ended and has been recorded.
#[must_use]
pub struct Turn {
    stop: CancellationToken,
    _until_dropped: OwnedSemaphorePermit,
}

impl Turns {
    pub fn new(limits: Limits) -> Self {
        Self {
            free: Arc::new(Semaphore::new(limits.at_once_max)),
            stop: CancellationToken::new(),
            limits,
        }
    }

    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// None when as many are under way as may be, or the service stops.
    pub fn take(&self) -> Option<Turn> {
        if self.stop.is_cancelled() {
            return None;
        }
        let turn = Arc::clone(&self.free).try_acquire_owned().ok()?;
        Some(Turn {
            stop: self.stop.clone(),
            _until_dropped: turn,
        })
    }

    /// Cuts what is under way, and resolves when all of it has ended.
    pub async fn end(&self) {
        self.stop.cancel();
        let all = u32::try_from(self.limits.at_once_max).unwrap_or(u32::MAX);
        // The semaphore is never closed.
        let _all_have_ended = self.free.acquire_many(all).await;
    }
}

impl Turn {
    /// Resolves when the service stops.
    pub async fn cut(&self) {
        self.stop.cancelled().await;
    }
}
