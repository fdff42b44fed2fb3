//! Converts actix-web's requests and answers to and from those of the `http` crate, which rmcp uses.
//!
//! Only headers that the protocol defines are passed on: never the key, cookies, or what a proxy adds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use http_body::Body as _;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use sextant_actors::sessions::Lease;

use super::error_response::mark_turned_away;
use super::farewell::Farewell;
use super::holds::{BodyHold, CallHolds};
use super::protocol::SESSION_HEADER;
use super::transports::transport_id;
use crate::http::code::Code;
use crate::http::gated_body::GatedBody;
use crate::http::wire::Passage;

/// Headers outside the protocol's own `Mcp-*` that rmcp reads.
const PASSED: [&str; 3] = ["host", "content-type", "last-event-id"];
/// The `Accept` of every request: rmcp requires both types, and hosted clients send `*/*`.
const ACCEPTED: &str = "application/json, text/event-stream";

/// An answer of rmcp.
pub(super) type RmcpResponse = http::Response<BoxBody<Bytes, std::convert::Infallible>>;

/// Whether the session id is passed to rmcp: only when its owner has been checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionHeader {
    /// It is.
    Kept,
    /// It is not.
    Removed,
}

/// Whether a request reached its session, which then leaves the audit row of its call.
#[derive(Clone, Default)]
pub(super) struct Reached(Arc<AtomicBool>);

impl Reached {
    /// Marks it as reached.
    pub(super) fn mark(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it was marked.
    pub(super) fn is_marked(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// The extension by which a request reaches the tool handlers inside rmcp.
#[derive(Clone)]
pub(super) struct RequestExtension {
    /// The session that serves its call.
    pub lease: Lease,
    /// Marked when the call reaches its session.
    pub reached: Reached,
    /// Takes the quota that the answer holds.
    pub holds: CallHolds,
}

/// The request as rmcp takes it.
pub(super) fn to_rmcp(
    request: &HttpRequest,
    body: Bytes,
    extension: RequestExtension,
    session: SessionHeader,
) -> Result<http::Request<Full<Bytes>>, http::Error> {
    let mut passed = http::Request::builder()
        .method(request.method().as_str())
        .uri("/mcp")
        .header(http::header::ACCEPT, ACCEPTED);
    for (name, value) in passed_headers(request.headers()) {
        passed = passed.header(name, value);
    }
    if session == SessionHeader::Kept {
        passed = passed.header(SESSION_HEADER, &*transport_id(&extension.lease));
    }
    passed.extension(extension).body(Full::new(body))
}

fn passed_headers(headers: &HeaderMap) -> impl Iterator<Item = (&str, &[u8])> {
    headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_bytes()))
        .filter(|(name, _)| {
            let of_protocol = name.starts_with("mcp-") || PASSED.contains(name);
            of_protocol && *name != SESSION_HEADER
        })
}

/// The answer as actix-web sends it, with its body behind the gate. If its call was turned away it gets the status 503, which
/// clients and proxies understand; not a stream, whose status is sent before its call is done.
pub(super) fn from_rmcp(
    answer: RmcpResponse,
    passage: Passage,
    farewell: Farewell,
    held: BodyHold,
) -> HttpResponse {
    let (head, body) = answer.into_parts();
    let mut response = head_of(&head);
    if held.is_turned_away() && body.size_hint().exact().is_some() {
        mark_turned_away(&mut response);
    }
    response.body(GatedBody::new(body, passage, farewell, held))
}

/// The answer to a handshake that made no session. It needs no gate: nothing in it was computed under a grant.
pub(super) async fn ungated(answer: RmcpResponse) -> HttpResponse {
    let (head, body) = answer.into_parts();
    let Ok(whole) = body.collect().await;
    head_of(&head).body(whole.to_bytes())
}

fn head_of(head: &http::response::Parts) -> HttpResponseBuilder {
    // Both crates accept the same range of statuses.
    let status = StatusCode::from_u16(head.status.as_u16());
    let mut response = HttpResponse::build(status.unwrap_or(Code::Internal.status()));
    for (name, value) in &head.headers {
        response.insert_header((name.as_str(), value.as_bytes()));
    }
    response
}
