//! Limits how many bodies arrive at once: many may side by side, but only few whole ones are validated and stored at a time.

use std::time::Duration;

use super::answer::PushFailure;
use crate::capacity::{Slot, Slots};
use crate::http::code::Code;
use crate::pushes::StoringSlots;

/// The slots of all pushes: many for arriving bodies, few for validating and storing.
#[derive(Clone)]
pub(super) struct PushSlots {
    arriving: Slots,
    storing: StoringSlots,
}

impl PushSlots {
    /// All slots for arriving free; this many bodies may arrive at once.
    pub(super) fn new(bodies_at_once_max: usize, storing: StoringSlots) -> Self {
        Self {
            arriving: Slots::new(bodies_at_once_max),
            storing,
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

    /// A slot for a body of this many bytes to be validated and stored in; frees the slot in which it arrived.
    pub(super) async fn store(&self, arrived: Slot, body_bytes: u64) -> Slot {
        let storing = self.storing.take(body_bytes).await;
        drop(arrived);
        storing
    }
}
