//! The surface that devices push to: `POST /api/ingest/:connectionId`.
//!
//! ```text
//! head, secret first (before a byte of the body) -> spool -> prepare (blocking) -> store (one transaction) -> record -> answer
//! ```
//! It stands outside the Host check: its protection is the connection's own secret. What a push *is* stands in
//! `crate::ingest`; here is only what HTTP adds.

mod answer;
mod discard;
mod expect;
mod head;
mod push;
mod push_slots;
mod routes;
mod secret;
mod spool;

use std::sync::Arc;

use actix_http::body::BoxBody;
use actix_http::{Request, Response};
use actix_web::web;
use chrono_tz::Tz;
use futures_util::FutureExt as _;
use futures_util::future::LocalBoxFuture;
use sextant_actors::audit::AuditHandle;
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;

use crate::db::ServicePool;
use crate::http::endpoint::mount;
use crate::ingest::limits::PushLimits;

use push_slots::PushSlots;
pub(crate) use routes::ENDPOINTS;

/// What stands before the connection's id.
const PATH: &str = "/api/ingest/";

/// What the route needs of the world.
#[derive(Clone)]
pub(crate) struct IngestParts {
    /// The push connections, in memory.
    pub connections: ConnectionsHandle,
    /// Takes the row of every push.
    pub audit: AuditHandle,
    /// Where pushes are stored.
    pub pool: ServicePool,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// The operator's zone.
    pub zone: Tz,
    /// How large and how slow a push may be.
    pub limits: PushLimits,
    slots: PushSlots,
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
            pool,
            clock,
            zone,
            slots: PushSlots::new(limits.bodies_at_once_max),
            limits,
        }
    }
}

/// Mounts the route.
pub(crate) fn configure(
    parts: &IngestParts,
) -> impl Fn(&mut web::ServiceConfig) + Clone + Send + use<> {
    let parts = parts.clone();
    move |service| {
        service.app_data(web::Data::new(parts.clone()));
        mount(service, ENDPOINTS);
    }
}

/// Whether a request may come to its route; its answer if not.
pub(crate) type ExpectDecision = LocalBoxFuture<'static, Result<Request, Response<BoxBody>>>;

/// Decides on requests that wait for a `100 Continue`.
pub(crate) fn expect(
    parts: &IngestParts,
) -> impl Fn(Request) -> ExpectDecision + Clone + Send + use<> {
    let parts = parts.clone();
    move |request| expect::decide(parts.clone(), request).boxed_local()
}
