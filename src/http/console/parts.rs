//! What the operator's routes work with.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sextant_actors::audit::AuditHandle;
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::grants::GrantsHandle;
use sextant_actors::ports::ToolCalls;
use sextant_actors::sessions::SessionsHandle;
use sextant_actors::supervise::Board;

use super::events::EventStreams;
use super::import::Imports;
use super::limits::ReadLimits;
use super::status::{PortNumbers, StatusCache};
use crate::bridge::Bridge;
use crate::capacity::Slots;
use crate::config::ZoneSource;
use crate::db::{Readers, ServicePool};
use crate::doctor::Doctor;
use crate::export::ExportSlots;
use crate::http::host_check::AllowedHosts;
use crate::http::manual::Manual;
use crate::http::problem::{Code, Problem};
use crate::ingest::SpoolFolder;
use crate::sign_ins::SignIns;
use crate::uploads::Uploads;

/// What the routes share.
#[derive(Clone)]
pub struct Parts {
    pub pool: ServicePool,
    pub readers: Readers,
    pub grants: GrantsHandle,
    pub sessions: SessionsHandle,
    pub connections: ConnectionsHandle,
    pub audit: AuditHandle,
    /// Serves the operator's own reads: the same path as agents' calls, over database connections that no agent can occupy.
    pub tools: Arc<dyn ToolCalls>,
    pub board: Board,
    pub clock: Arc<dyn Clock>,
    /// One slot: loading and removing the sample household wait for each other.
    pub sample_slot: Slots,
    /// Slots for the audit log as a file.
    pub csv_slots: Slots,
    pub reads: ReadLimits,
    /// Makes, renews and ends sign-ins.
    pub sign_ins: SignIns,
    /// Agents elsewhere, and the address they come by.
    pub bridge: Bridge,
    /// Checks what stands between them and an answer.
    pub doctor: Doctor,
    /// Names beside loopback by which this port answers.
    pub allowed_hosts: AllowedHosts,
    /// Whether there are proxies that are believed whom they speak for.
    pub trusts_proxies: bool,
    /// What was last read of the data.
    pub status_cache: StatusCache,
    pub ports: PortNumbers,
    pub started_at: DateTime<Utc>,
    pub exports: ExportSlots,
    /// Who listens to what changes.
    pub events: EventStreams,
    pub imports: Imports,
    /// Files that are dropped into the page.
    pub uploads: Uploads,
    /// Where the sample household is spooled.
    pub spools: SpoolFolder,
    /// The operator's zone.
    pub zone: Tz,
    /// How the zone was found.
    pub zone_source: ZoneSource,
    /// Where clients on this computer find the agent port.
    pub agent_url: String,
    /// The description of the port's routes.
    pub manual: Manual,
}

/// Runs an act to its end even when the caller leaves: what is committed must also be published and have its audit row.
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
