//! Between actix-web's requests and answers and those of the `http` crate, in which rmcp speaks.
//!
//! Only the headers that the protocol defines cross: the key never does, nor cookies, nor what a proxy adds.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use http_body::Body as _;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use sextant_actors::sessions::Lease;

use super::farewell::Farewell;
use super::holds::{BodyHold, CallHolds};
use super::protocol::SESSION_HEADER;
use super::refused::Reached;
use super::sessions::half_of;
use crate::http::gated_body::GatedBody;
use crate::http::problem::RETRY_AFTER_S;
use crate::http::wire::Passage;

/// Headers outside the protocol's own `Mcp-*` that rmcp reads.
const PASSED: [&str; 3] = ["host", "content-type", "last-event-id"];
/// What every request is said to accept: rmcp insists on both, and hosted clients send `*/*`.
const ACCEPTED: &str = "application/json, text/event-stream";

/// What rmcp answers with.
pub(super) type Answer = http::Response<BoxBody<Bytes, std::convert::Infallible>>;

/// Whether the session crosses: only when its owner has been checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionHeader {
    /// It does.
    Kept,
    /// It does not.
    Removed,
}

/// What a request carries through rmcp to the tool handlers.
#[derive(Clone)]
pub(super) struct Carried {
    /// The session that serves its call.
    pub lease: Lease,
    /// Tells back that the call came as far as its session.
    pub reached: Reached,
    /// The way back for what is held for the answer.
    pub holds: CallHolds,
}

/// The request as rmcp gets it, with what its extensions carry.
pub(super) fn to_rmcp(
    request: &HttpRequest,
    body: Bytes,
    carried: Carried,
    session: SessionHeader,
) -> Result<http::Request<Full<Bytes>>, http::Error> {
    let mut passed = http::Request::builder()
        .method(request.method().as_str())
        .uri("/mcp")
        .header(http::header::ACCEPT, ACCEPTED);
    for (name, value) in passing(request.headers()) {
        passed = passed.header(name, value);
    }
    if session == SessionHeader::Kept {
        passed = passed.header(SESSION_HEADER, &*half_of(&carried.lease));
    }
    passed.extension(carried).body(Full::new(body))
}

fn passing(headers: &HeaderMap) -> impl Iterator<Item = (&str, &[u8])> {
    headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_bytes()))
        .filter(|(name, _)| {
            let of_protocol = name.starts_with("mcp-") || PASSED.contains(name);
            of_protocol && *name != SESSION_HEADER
        })
}

/// The answer as actix-web sends it, with its body behind the gate. A whole one that says that its call was turned away bears the status
/// that clients, and what stands between, know for that; a stream's is decided before its call, however soon that ends.
pub(super) fn from_rmcp(
    answer: Answer,
    passage: Passage,
    farewell: Farewell,
    held: BodyHold,
) -> HttpResponse {
    let (head, body) = answer.into_parts();
    let mut response = head_of(&head);
    if held.is_turned_away() && body.size_hint().exact().is_some() {
        response.status(StatusCode::SERVICE_UNAVAILABLE);
        response.insert_header((header::RETRY_AFTER, RETRY_AFTER_S));
    }
    response.body(GatedBody::new(body, passage, farewell, held))
}

/// The answer to a handshake of which no session came: nothing in it was computed under a grant.
pub(super) async fn ungated(answer: Answer) -> HttpResponse {
    let (head, body) = answer.into_parts();
    let Ok(whole) = body.collect().await;
    head_of(&head).body(whole.to_bytes())
}

fn head_of(head: &http::response::Parts) -> HttpResponseBuilder {
    let status = StatusCode::from_u16(head.status.as_u16());
    let mut response = HttpResponse::build(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
    for (name, value) in &head.headers {
        response.insert_header((name.as_str(), value.as_bytes()));
    }
    response
}
