//! How the lock stands, for whoever writes and whoever stops the service.

use std::future::pending;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::Holder;
use crate::db::error::StoreError;

/// How long after its loss a lock is waited for before a writer is told that the database is away; later ones are told at once.
const WRITER_PATIENCE: Duration = Duration::from_secs(5);

/// How the lock stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockState {
    Held,
    /// The connection broke; the lock is being taken again.
    Lost {
        since: Instant,
    },
    /// Another process had it by then: this one must write nothing more.
    Taken(Holder),
}

/// A view of the lock that may be copied to whoever writes.
#[derive(Clone, Debug)]
pub struct Standing(pub(super) watch::Receiver<LockState>);

impl Standing {
    /// Returns when the lock is held; waits a bounded time for one that was lost just now.
    pub async fn held(&self) -> Result<(), StoreError> {
        let mut states = self.0.clone();
        let LockState::Lost { since } = *states.borrow_and_update() else {
            return self.settled();
        };
        let found = states.wait_for(|state| !matches!(state, LockState::Lost { .. }));
        // Either way the state says what it came to.
        let _ = timeout_at(since + WRITER_PATIENCE, found).await;
        self.settled()
    }

    fn settled(&self) -> Result<(), StoreError> {
        if *self.0.borrow() == LockState::Held && !self.is_let_go() {
            return Ok(());
        }
        Err(StoreError::Unavailable {
            cause: "the lock on the database is not held".into(),
        })
    }

    /// Whether the lock is not kept any more: its last state says nothing then.
    fn is_let_go(&self) -> bool {
        self.0.has_changed().is_err()
    }

    /// Resolves when the lock that is held now has been lost, or else the next one, or when none is kept any more. It looks before it
    /// is first polled.
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

    /// Returns only when another process has taken the lock, with who it is.
    pub async fn taken(&self) -> Holder {
        let mut states = self.0.clone();
        loop {
            if let LockState::Taken(holder) = &*states.borrow_and_update() {
                return holder.clone();
            }
            if states.changed().await.is_err() {
                // The watch has ended with the service itself.
                pending::<()>().await;
            }
        }
    }

    /// How the lock stands now.
    pub fn state(&self) -> LockState {
        self.0.borrow().clone()
    }
}
