//! How the lock stands, for whoever writes and whoever stops the service.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use super::Holder;
use crate::db::error::StoreError;

/// How long a writer waits for a lost lock before it is told that the database is away.
const WRITER_PATIENCE: Duration = Duration::from_secs(5);

/// How the lock stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockState {
    Held,
    /// The connection broke; the lock is being taken again.
    Lost,
    /// Another process had it by then: this one must write nothing more.
    Taken(Holder),
}

/// A view of the lock that may be copied to whoever writes.
#[derive(Clone, Debug)]
pub struct Standing(pub(super) watch::Receiver<LockState>);

impl Standing {
    /// Returns when the lock is held; waits a bounded time for one that was lost.
    pub async fn held(&self) -> Result<(), StoreError> {
        if *self.0.borrow() == LockState::Held {
            return Ok(());
        }
        let mut states = self.0.clone();
        let settled = timeout(
            WRITER_PATIENCE,
            states.wait_for(|state| *state != LockState::Lost),
        )
        .await;
        match settled {
            Ok(Ok(state)) if *state == LockState::Held => Ok(()),
            _ => Err(StoreError::Unavailable {
                cause: "the lock on the database is not held".into(),
            }),
        }
    }

    /// Returns only when another process has taken the lock, with who it is.
    pub async fn taken(&self) -> Holder {
        let mut states = self.0.clone();
        loop {
            if let LockState::Taken(holder) = &*states.borrow_and_update() {
                return holder.clone();
            }
            if states.changed().await.is_err() {
                // The watch has ended with the service itself.
                std::future::pending::<()>().await;
            }
        }
    }

    /// How the lock stands now.
    pub fn state(&self) -> LockState {
        self.0.borrow().clone()
    }
}
