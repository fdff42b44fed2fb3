//! How imports are taken in.

use crate::capacity::Slots;
use crate::import::{AT_ONCE_MAX, ImportLimits};

/// Where bodies are kept meanwhile, and how many are taken in at once.
#[derive(Clone)]
pub struct Imports {
    pub(super) limits: ImportLimits,
    pub(super) slots: Slots,
}

impl Imports {
    /// With slots that are all free.
    pub fn new(limits: ImportLimits) -> Self {
        Self {
            limits,
            slots: Slots::new(AT_ONCE_MAX),
        }
    }
}
