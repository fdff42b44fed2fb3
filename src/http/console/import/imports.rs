//! Where imports are spooled, and how many run at once.

use crate::capacity::Slots;
use crate::import::{AT_ONCE_MAX, ImportLimits};

/// Where bodies are spooled, and how many imports run at once.
#[derive(Clone)]
pub struct Imports {
    pub(super) limits: ImportLimits,
    pub(super) slots: Slots,
}

impl Imports {
    /// All slots free.
    pub fn new(limits: ImportLimits) -> Self {
        Self {
            limits,
            slots: Slots::new(AT_ONCE_MAX),
        }
    }
}
