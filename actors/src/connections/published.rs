//! The published connections, and those that have changed and could not be read since.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tokio::sync::SetOnce;
use uuid::Uuid;

use crate::domain::PushConnection;

type ConnectionSnapshot = Arc<HashMap<Uuid, PushConnection>>;

/// The number of a read of the table, given when it begins: changes that were committed before are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReadNumber(u64);

#[derive(Default)]
struct Pending {
    /// The number of the latest read that has been published.
    published: u64,
    /// Changed connections with the first reading that will hold the change.
    unread: HashMap<Uuid, u64>,
}

/// The snapshot; it outlives every restart of the actor that writes it.
#[derive(Default)]
pub(crate) struct PublishedConnections {
    snapshot: RwLock<ConnectionSnapshot>,
    readings: AtomicU64,
    pending: Mutex<Pending>,
    loaded: SetOnce<()>,
}

impl PublishedConnections {
    pub(super) fn snapshot(&self) -> ConnectionSnapshot {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn begin_read(&self) -> ReadNumber {
        ReadNumber(self.readings.fetch_add(1, Ordering::AcqRel) + 1)
    }

    /// Publishes a read, unless a later one is published already. What changed after it began stays refused.
    pub(super) fn publish(&self, reading: ReadNumber, rows: Vec<PushConnection>) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if reading.0 < pending.published {
            return;
        }
        pending.published = reading.0;
        pending.unread.retain(|_, first| *first > reading.0);
        let known = rows.into_iter().map(|row| (row.id, row));
        self.replace(
            known
                .filter(|(id, _)| !pending.unread.contains_key(id))
                .collect(),
        );
        // Every reading after the first finds it set.
        let _ = self.loaded.set(());
    }

    /// Takes a changed connection out until a read that begins after this call has been published.
    pub(super) fn refuse(&self, changed: Uuid) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let first = self.readings.load(Ordering::Acquire) + 1;
        pending.unread.insert(changed, first);
        let mut known = HashMap::clone(&self.snapshot());
        known.remove(&changed);
        self.replace(known);
    }

    pub(super) fn has_unread(&self) -> bool {
        let pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        !pending.unread.is_empty()
    }

    /// Resolves when the connections have been read for the first time.
    pub(crate) async fn loaded(&self) {
        self.loaded.wait().await;
    }

    fn replace(&self, known: HashMap<Uuid, PushConnection>) {
        *self
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
    }
}
