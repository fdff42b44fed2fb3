//! The published connections, and the changes of them that could not be read since.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tokio::sync::SetOnce;
use uuid::Uuid;

use super::ConnectionSnapshot;
use crate::domain::KnownConnection;

/// A change of the table that is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectionChange {
    /// A connection was made, removed, or given another state or secret: pushes to it are refused until it has been read.
    Connection(Uuid),
    /// A push or a sync ended, which changes only what agents are told.
    Progress,
}

/// The number of a read of the table, given when it begins: changes that were committed before are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReadNumber(u64);

#[derive(Default)]
struct Pending {
    /// The number of the latest read that has been published.
    published: u64,
    /// The first reading that will hold every change.
    complete: u64,
    /// Changed connections with the first reading that will hold the change.
    unread: HashMap<Uuid, u64>,
}

impl Pending {
    const fn is_current(&self) -> bool {
        self.published >= self.complete
    }
}

/// The snapshot; it outlives every restart of the actor that writes it. It is not current before the first read.
#[derive(Default)]
pub(crate) struct PublishedConnections {
    snapshot: RwLock<Arc<ConnectionSnapshot>>,
    readings: AtomicU64,
    pending: Mutex<Pending>,
    loaded: SetOnce<()>,
}

impl PublishedConnections {
    pub(super) fn snapshot(&self) -> Arc<ConnectionSnapshot> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn begin_read(&self) -> ReadNumber {
        ReadNumber(self.readings.fetch_add(1, Ordering::AcqRel) + 1)
    }

    /// Publishes a read, unless a later one is published already. What changed after it began stays refused.
    pub(super) fn publish(&self, reading: ReadNumber, rows: Vec<KnownConnection>) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if reading.0 < pending.published {
            return;
        }
        pending.published = reading.0;
        pending.unread.retain(|_, first| *first > reading.0);
        let known = rows.into_iter();
        self.replace(ConnectionSnapshot::new(
            known.filter(|row| !pending.unread.contains_key(&row.id)),
            pending.is_current(),
        ));
        // Every reading after the first finds it set.
        let _ = self.loaded.set(());
    }

    /// Notes a change that could not be read: the snapshot is not current until a read that begins after this call has been
    /// published, and a changed connection is not in it until then.
    pub(super) fn mark_unread(&self, change: ConnectionChange) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let first = self.readings.load(Ordering::Acquire) + 1;
        pending.complete = first;
        let mut known: Vec<_> = self.snapshot().values().cloned().collect();
        if let ConnectionChange::Connection(changed) = change {
            pending.unread.insert(changed, first);
            known.retain(|row| row.id != changed);
        }
        self.replace(ConnectionSnapshot::new(known, false));
    }

    pub(super) fn is_current(&self) -> bool {
        let pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.is_current()
    }

    /// Resolves when the connections have been read for the first time.
    pub(crate) async fn loaded(&self) {
        self.loaded.wait().await;
    }

    fn replace(&self, snapshot: ConnectionSnapshot) {
        *self
            .snapshot
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
    }
}
