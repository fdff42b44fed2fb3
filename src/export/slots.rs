//! Limits how many exports run at once, and cancels all of them when the service stops.

use tokio_util::sync::CancellationToken;

use super::ExportLimits;
use crate::capacity::{Slot, Slots};

/// The slots of all exports.
#[derive(Clone, Debug)]
pub struct ExportSlots {
    free: Slots,
    stop: CancellationToken,
    limits: ExportLimits,
}

/// Held until an export has ended and its audit row is written.
#[must_use]
pub struct ExportSlot {
    stop: CancellationToken,
    _until_dropped: Slot,
}

impl ExportSlots {
    /// As many as the limits say, all of them free.
    pub fn new(limits: ExportLimits) -> Self {
        Self {
            free: Slots::new(limits.at_once_max),
            stop: CancellationToken::new(),
            limits,
        }
    }

    /// The limits of each export.
    pub const fn limits(&self) -> ExportLimits {
        self.limits
    }

    /// `None` when all are taken, or the service stops.
    pub fn try_take(&self) -> Option<ExportSlot> {
        if self.stop.is_cancelled() {
            return None;
        }
        Some(ExportSlot {
            stop: self.stop.clone(),
            _until_dropped: self.free.try_take()?,
        })
    }

    /// Cancels the running exports, and resolves when all of them have ended.
    pub async fn end(&self) {
        self.stop.cancel();
        let all = u32::try_from(self.limits.at_once_max).unwrap_or(u32::MAX);
        let _all_have_ended = self.free.take(all).await;
    }
}

impl ExportSlot {
    /// Resolves when the service stops.
    pub async fn stopped(&self) {
        self.stop.cancelled().await;
    }
}
