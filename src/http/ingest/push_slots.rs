//! How many pushes are under way at once: bodies arrive side by side, and only whole ones take one of the few slots in which a push
//! is read and stored.

use std::time::Duration;

use super::answer::PushFailure;
use crate::capacity::{Slot, Slots};
use crate::http::problem::Code;
use crate::ingest::limits::{LARGE_BODY_BYTES, PUSHES_AT_ONCE_MAX};

/// The slots of all pushes.
#[derive(Clone)]
pub(super) struct PushSlots {
    arriving: Slots,
    storing: Slots,
}

impl PushSlots {
    /// Room for so many bodies to arrive; all slots are free.
    pub(super) fn new(bodies_at_once_max: usize) -> Self {
        Self {
            arriving: Slots::new(bodies_at_once_max),
            storing: Slots::new(PUSHES_AT_ONCE_MAX),
        }
    }

    /// A slot for a body to arrive in.
    ///
    /// # Errors
    /// When none becomes free within `wait_max`.
    pub(super) async fn arrive(&self, wait_max: Duration) -> Result<Slot, PushFailure> {
        let arriving = self.arriving.take_within(wait_max).await;
        arriving.ok_or_else(|| {
            PushFailure::new(
                Code::Unavailable,
                "too many pushes are under way; nothing was stored, send the push again later",
            )
        })
    }

    /// A slot for a body of so many bytes to be read and stored in; the one in which it arrived is free for another then. A large
    /// body takes two slots, since it may hold the largest records.
    pub(super) async fn store(&self, arrived: Slot, body_bytes: u64) -> Slot {
        let count = if body_bytes > LARGE_BODY_BYTES { 2 } else { 1 };
        let storing = self.storing.take(count).await;
        drop(arrived);
        storing
    }
}
