//! What the route for pushes works with.

use super::push_slots::PushSlots;
use super::refusals::RefusalNotes;
use crate::ingest::limits::PushLimits;
use crate::pushes::PushStore;

/// The path of the route, up to the connection's id.
pub(super) const PATH: &str = "/api/ingest/";

/// What the route works with.
#[derive(Clone)]
pub(crate) struct IngestParts {
    pub store: PushStore,
    /// How large and how slow a push may be.
    pub limits: PushLimits,
    pub(super) slots: PushSlots,
    pub(super) refusals: RefusalNotes,
}

impl IngestParts {
    /// The parts, with slots that are all free.
    pub(crate) fn new(store: PushStore, limits: PushLimits) -> Self {
        Self {
            refusals: RefusalNotes::new(store.pool.clone()),
            slots: PushSlots::new(limits.bodies_at_once_max, store.storing.clone()),
            store,
            limits,
        }
    }
}
