//! What the operator's routes work with.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sextant_actors::audit::AuditHandle;
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::grants::GrantsHandle;
use sextant_actors::ports::Desk;
use sextant_actors::sessions::SessionsHandle;
use sextant_actors::supervise::Board;

use super::import::Imports;
use super::limits::ReadLimits;
use super::status::{Known, Ports};
use crate::capacity::Slots;
use crate::config::ZoneSource;
use crate::db::{Readers, ServicePool};
use crate::export::ExportSlots;
use crate::http::manual::Manual;
use crate::http::problem::{Code, Problem};

/// What the routes work with, shared by all of them.
#[derive(Clone)]
pub struct Parts {
    pub pool: ServicePool,
    pub readers: Readers,
    pub grants: GrantsHandle,
    pub sessions: SessionsHandle,
    pub connections: ConnectionsHandle,
    pub audit: AuditHandle,
    /// Serves the operator's own reads: the path of agents' calls, over connections that no agent can take.
    pub tools: Arc<dyn Desk>,
    pub board: Board,
    pub clock: Arc<dyn Clock>,
    /// One: loading and removing the sample household wait for each other.
    pub sample_slot: Slots,
    /// For the record as a file.
    pub csv_slots: Slots,
    pub reads: ReadLimits,
    /// What was last known of the data.
    pub known: Known,
    pub ports: Ports,
    pub started_at: DateTime<Utc>,
    pub exports: ExportSlots,
    pub imports: Imports,
    /// The operator's zone.
    pub zone: Tz,
    /// How that was found.
    pub zone_source: ZoneSource,
    /// Where clients on this computer find the agent port.
    pub agent_url: String,
    /// What is told of the port's routes.
    pub manual: Manual,
}

/// Runs an act to its end even when the caller leaves: what is committed must also be published and recorded.
pub(super) async fn to_the_end<T: 'static>(
    act: impl Future<Output = Result<T, Problem>> + 'static,
) -> Result<T, Problem> {
    actix_web::rt::spawn(act).await.unwrap_or_else(|_| {
        Err(Problem::new(
            Code::Internal,
            "the service failed at this; its log says why",
        ))
    })
}
