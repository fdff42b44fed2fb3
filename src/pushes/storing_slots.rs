//! Limits how many pushes are validated and stored at one time, whichever way they came.

use crate::capacity::{Slot, Slots};
use crate::ingest::limits::{LARGE_BODY_BYTES, PUSHES_AT_ONCE_MAX};

/// The slots. Clones share them.
#[derive(Clone)]
pub(crate) struct StoringSlots(Slots);

impl StoringSlots {
    /// All slots free.
    pub(crate) fn new() -> Self {
        Self(Slots::new(PUSHES_AT_ONCE_MAX))
    }

    /// A slot for a body of this many bytes. A large body takes two slots, since it may hold the largest records.
    pub(crate) async fn take(&self, body_bytes: u64) -> Slot {
        let count = if body_bytes > LARGE_BODY_BYTES { 2 } else { 1 };
        self.0.take(count).await
    }
}
