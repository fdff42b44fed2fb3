//! The surface that devices push to: `POST /api/ingest/:connectionId`.
//!
//! ```text
//! head, secret first (before a byte of the body) -> spool -> prepare (blocking) -> store (one transaction) -> audit row -> answer
//! ```
//! It lies outside the Host check: its protection is the connection's own secret. What a push means is decided in
//! `crate::ingest`; here is only what HTTP adds.

mod answer;
mod discard;
mod expect;
mod head;
mod parameters;
mod parts;
mod push;
mod push_slots;
mod refusals;
mod routes;
mod secret;
mod spool;
mod stored;

use actix_http::body::BoxBody;
use actix_http::{Request, Response};
use actix_web::web;
use futures_util::FutureExt as _;
use futures_util::future::LocalBoxFuture;

use crate::http::endpoint::mount;

pub(crate) use parts::IngestParts;
pub(crate) use routes::ENDPOINTS;

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

/// The request, if it may go on to its route; otherwise its answer.
pub(crate) type ExpectDecision = LocalBoxFuture<'static, Result<Request, Response<BoxBody>>>;

/// The decision on requests that wait for a `100 Continue`.
pub(crate) fn expect(
    parts: &IngestParts,
) -> impl Fn(Request) -> ExpectDecision + Clone + Send + use<> {
    let parts = parts.clone();
    move |request| expect::decide(parts.clone(), request).boxed_local()
}
