//! The operator's routes: agents, sessions, connections, the sample household, the audit, the data and its erasure, the actors; and
//! what lists the routes: a page and an OpenAPI document.
//!
//! No login is asked for (r105): the address and the checks around this scope are the protection. Every noun has a file with the table of its routes, and
//! a folder with a file for each of them, or the one route itself. How to add a route: [`crate::http::endpoint`].

mod actors;
mod agents;
mod audit;
mod connections;
mod data;
mod erase;
mod export;
mod health;
mod import;
mod inspector;
mod limits;
mod metrics;
mod operator;
mod page;
mod sample;
mod sessions;
mod stats;
mod status;

use std::sync::Arc;

use actix_web::{HttpResponse, web};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use sextant_actors::audit::AuditHandle;
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::grants::GrantsHandle;
use sextant_actors::ports::Desk;
use sextant_actors::sessions::SessionsHandle;
use sextant_actors::supervise::Board;

use crate::capacity::Slots;
use crate::config::ZoneSource;
use crate::db::{Readers, ServicePool};
use crate::export::ExportSlots;
use crate::http::endpoint::{Endpoint, mount};
use crate::http::manual::Manual;
use crate::http::problem::{Code, Problem};

pub use audit::CSV_AT_ONCE_MAX;
pub use import::Imports;
pub use limits::ReadLimits;
pub use status::{Known, Ports};

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

/// The routes behind the checks, noun by noun.
const GUARDED: &[&[Endpoint]] = &[
    agents::ENDPOINTS,
    sessions::ENDPOINTS,
    connections::ENDPOINTS,
    sample::ENDPOINTS,
    data::ENDPOINTS,
    erase::ENDPOINTS,
    operator::ENDPOINTS,
    audit::ENDPOINTS,
    stats::ENDPOINTS,
    export::ENDPOINTS,
    import::ENDPOINTS,
    actors::ENDPOINTS,
    status::ENDPOINTS,
    metrics::ENDPOINTS,
    page::ENDPOINTS,
];

/// All routes of this surface.
pub fn endpoints() -> Vec<Endpoint> {
    [health::ENDPOINTS, &GUARDED.concat()].concat()
}

/// Mounts `/healthz`, which no check guards (r100, r101).
pub(crate) fn configure_unguarded(routes: &mut web::ServiceConfig) {
    mount(routes, health::ENDPOINTS);
}

/// Mounts everything else, for a scope that is guarded.
pub fn configure(routes: &mut web::ServiceConfig) {
    for endpoints in GUARDED {
        mount(routes, endpoints);
    }
    routes.default_service(web::to(no_route));
}

/// Any other path or method: JSON, never a page.
async fn no_route() -> Result<HttpResponse, Problem> {
    Err(Problem::new(
        Code::NotFound,
        "there is no such route, or not with this method; GET / lists them",
    ))
}

/// Runs an act to its end even when the caller leaves: what is committed must also be published and recorded.
async fn to_the_end<T: 'static>(
    act: impl Future<Output = Result<T, Problem>> + 'static,
) -> Result<T, Problem> {
    actix_web::rt::spawn(act).await.unwrap_or_else(|_| {
        Err(Problem::new(
            Code::Internal,
            "the service failed at this; its log says why",
        ))
    })
}
