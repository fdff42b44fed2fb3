//! The state of the lock, for whoever writes and whoever stops the service.

use std::future::pending;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::Holder;
use crate::db::error::StoreError;

/// How long after a loss writers wait for the lock to be held again; after that they fail at once.
const WRITER_WAIT_MAX: Duration = Duration::from_secs(5);

/// The state of the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockState {
    Held,
    /// Its connection was lost; the lock is being taken again.
    Lost {
        since: Instant,
    },
    /// Another process took it in the meantime: this one must not write any more.
    Taken(Holder),
}

/// A view of the lock's state, for whoever writes.
#[derive(Clone, Debug)]
pub struct Standing(pub(super) watch::Receiver<LockState>);

impl Standing {
    /// Waits until the lock is held, for at most [`WRITER_WAIT_MAX`] after its loss.
    ///
    /// # Errors
    /// When it is not held.
    pub async fn wait_until_held(&self) -> Result<(), StoreError> {
        let mut states = self.0.clone();
        let LockState::Lost { since } = *states.borrow_and_update() else {
            return self.check_held();
        };
        let regained = states.wait_for(|state| !matches!(state, LockState::Lost { .. }));
        // Whether it was regained in time, the state says.
        let _ = timeout_at(since + WRITER_WAIT_MAX, regained).await;
        self.check_held()
    }

    fn check_held(&self) -> Result<(), StoreError> {
        if *self.0.borrow() == LockState::Held && !self.is_released() {
            return Ok(());
        }
        Err(StoreError::Unavailable {
            cause: "the lock on the database is not held".into(),
        })
    }

    /// Whether the lock was released; its last state means nothing then.
    fn is_released(&self) -> bool {
        self.0.has_changed().is_err()
    }

    /// A future that resolves when the lock is lost or released. If it is not held at the call, a loss after it is held again
    /// counts. The state at the call counts, not at the first poll.
    pub fn lost(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut states = self.0.clone();
        let mut was_held = *states.borrow_and_update() == LockState::Held;
        async move {
            while states.changed().await.is_ok() {
                if was_held {
                    return;
                }
                was_held = *states.borrow_and_update() == LockState::Held;
            }
        }
    }

    /// Waits until another process has taken the lock, and returns which one.
    pub async fn taken(&self) -> Holder {
        let mut states = self.0.clone();
        loop {
            if let LockState::Taken(holder) = &*states.borrow_and_update() {
                return holder.clone();
            }
            if states.changed().await.is_err() {
                // The lock was released: nobody can take it from this process any more.
                pending::<()>().await;
            }
        }
    }

    /// The present state.
    pub fn state(&self) -> LockState {
        self.0.borrow().clone()
    }
}
