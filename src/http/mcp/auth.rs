//! Who calls: the presented key becomes a ticket or a refusal, before anything of the request's body is looked at.
//!
//! The key itself goes no further than the reader of the headers; its digest is what is looked up (r028, r068, r069).

use actix_web::http::header::HeaderMap;
use sextant_actors::audit::AuditHandle;
use sextant_actors::domain::{Digest, Refusal, Ticket};
use sextant_actors::grants::GrantsHandle;

use super::fault::Fault;
pub use crate::http::agent_key::{Presented, presented};

/// The methods that a refused handshake's row may name; any other text in the header is the sender's, and stays out.
const KNOWN_METHODS: [&str; 9] = [
    "initialize",
    "notifications/initialized",
    "notifications/cancelled",
    "ping",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
    "logging/setLevel",
];

/// Resolves the key of a request, or records and returns the refusal.
///
/// # Errors
/// [`Fault::NoKey`], [`Fault::MalformedKey`] or [`Fault::KeyRefused`]. A request without any key leaves no row while there is no
/// exposure (r033); any other refusal leaves one under `initialize`.
pub async fn admit(
    headers: &HeaderMap,
    grants: &GrantsHandle,
    audit: &AuditHandle,
) -> Result<Ticket, Fault> {
    match presented(headers) {
        Presented::Nothing => Err(Fault::NoKey),
        Presented::Malformed => {
            audit
                .record_refused_handshake(Refusal::UnknownAgent, method_hint(headers))
                .await;
            Err(Fault::MalformedKey)
        }
        Presented::Key(digest) => resolve(&digest, headers, grants, audit).await,
    }
}

/// Resolves a digest, again if need be, or records and returns the refusal.
///
/// # Errors
/// [`Fault::KeyRefused`].
pub async fn resolve(
    digest: &Digest,
    headers: &HeaderMap,
    grants: &GrantsHandle,
    audit: &AuditHandle,
) -> Result<Ticket, Fault> {
    match grants.resolve(digest) {
        Ok(ticket) => Ok(ticket),
        Err(refusal) => {
            audit
                .record_refused_handshake(refusal, method_hint(headers))
                .await;
            Err(Fault::KeyRefused(refusal))
        }
    }
}

fn method_hint(headers: &HeaderMap) -> Option<String> {
    let named = headers.get("mcp-method")?.to_str().ok()?;
    KNOWN_METHODS
        .iter()
        .find(|method| **method == named)
        .map(|method| (*method).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;

    #[test]
    fn r028_the_method_hint_repeats_no_text_of_the_sender() {
        assert_eq!(
            method_hint(&headers(&[("mcp-method", "tools/call")])).unwrap(),
            "tools/call"
        );
        assert_eq!(method_hint(&headers(&[("mcp-method", "sxt_abc")])), None);
    }
}
