//! What the route for pushes works with.

use std::sync::Arc;

use chrono_tz::Tz;
use sextant_actors::audit::AuditHandle;
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;

use super::push_slots::PushSlots;
use super::refusals::RefusalNotes;
use crate::db::ServicePool;
use crate::ingest::limits::PushLimits;

/// The path of the route, up to the connection's id.
pub(super) const PATH: &str = "/api/ingest/";

/// What the route works with.
#[derive(Clone)]
pub(crate) struct IngestParts {
    /// The push connections, in memory.
    pub connections: ConnectionsHandle,
    /// Takes the audit row of every push.
    pub audit: AuditHandle,
    /// Where pushes are stored.
    pub pool: ServicePool,
    pub clock: Arc<dyn Clock>,
    /// The operator's zone.
    pub zone: Tz,
    /// How large and how slow a push may be.
    pub limits: PushLimits,
    pub(super) slots: PushSlots,
    pub(super) refusals: RefusalNotes,
}

impl IngestParts {
    /// The parts, with slots that are all free.
    pub(crate) fn new(
        connections: ConnectionsHandle,
        audit: AuditHandle,
        pool: ServicePool,
        clock: Arc<dyn Clock>,
        (zone, limits): (Tz, PushLimits),
    ) -> Self {
        Self {
            connections,
            audit,
            refusals: RefusalNotes::new(pool.clone()),
            pool,
            clock,
            zone,
            slots: PushSlots::new(limits.bodies_at_once_max),
            limits,
        }
    }
}
