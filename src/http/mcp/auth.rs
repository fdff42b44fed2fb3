//! Who calls: the presented key becomes a ticket or a refusal, before anything of the request's body is looked at.
//!
//! The key itself goes no further than this file; its digest is what is looked up (r028, r068, r069).

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use sextant_actors::domain::{Digest, Refusal};
use sextant_actors::grants::{GrantsHandle, Ticket};
use sextant_actors::record::AuditHandle;

use super::fault::Fault;
use super::limits::KEY_BYTES_MAX;

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

/// What a request presented.
#[derive(Debug, PartialEq, Eq)]
pub enum Presented {
    Nothing,
    Malformed,
    Key(Digest),
}

/// Resolves the key of a request, or records and returns the refusal.
///
/// # Errors
/// [`Fault::NoKey`], [`Fault::MalformedKey`] or [`Fault::KeyRefused`]. A request without any key leaves no row while there is no
/// exposure (r033); any other refusal leaves one under `initialize`.
pub fn admit(
    headers: &HeaderMap,
    grants: &GrantsHandle,
    audit: &AuditHandle,
) -> Result<Ticket, Fault> {
    match presented(headers) {
        Presented::Nothing => Err(Fault::NoKey),
        Presented::Malformed => {
            audit.refused_handshake(Refusal::UnknownAgent, method_hint(headers));
            Err(Fault::MalformedKey)
        }
        Presented::Key(digest) => resolve(&digest, headers, grants, audit),
    }
}

/// Resolves a digest, again if need be, or records and returns the refusal.
///
/// # Errors
/// [`Fault::KeyRefused`].
pub fn resolve(
    digest: &Digest,
    headers: &HeaderMap,
    grants: &GrantsHandle,
    audit: &AuditHandle,
) -> Result<Ticket, Fault> {
    grants.resolve(digest).map_err(|refusal| {
        audit.refused_handshake(refusal, method_hint(headers));
        Fault::KeyRefused(refusal)
    })
}

/// What these headers present.
pub fn presented(headers: &HeaderMap) -> Presented {
    let mut values = headers.get_all(AUTHORIZATION);
    match (values.next(), values.next()) {
        (None, _) => Presented::Nothing,
        (Some(value), None) => value
            .to_str()
            .ok()
            .and_then(bearer)
            .map_or(Presented::Malformed, |key| Presented::Key(Digest::of(key))),
        (Some(_), Some(_)) => Presented::Malformed,
    }
}

/// The key of `Bearer <key>` (RFC 6750 §2.1; the scheme's case does not matter).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, key) = value.split_once(' ')?;
    let key = key.trim();
    let whole =
        (1..=KEY_BYTES_MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    (scheme.eq_ignore_ascii_case("bearer") && whole).then_some(key)
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
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        headers
    }

    #[test]
    fn r068_only_one_bearer_key_is_a_key() {
        let key = Presented::Key(Digest::of("sxt_abc"));
        for well_formed in ["Bearer sxt_abc", "bearer sxt_abc", "BEARER  sxt_abc "] {
            assert_eq!(
                presented(&headers(&[("authorization", well_formed)])),
                key,
                "{well_formed}"
            );
        }
        for malformed in ["sxt_abc", "Bearer", "Bearer ", "Basic c3h0", "Bearer a b"] {
            let seen = presented(&headers(&[("authorization", malformed)]));
            assert_eq!(seen, Presented::Malformed, "{malformed}");
        }
        assert_eq!(presented(&headers(&[])), Presented::Nothing);
        let twice = headers(&[("authorization", "Bearer a"), ("authorization", "Bearer b")]);
        assert_eq!(presented(&twice), Presented::Malformed);
    }

    #[test]
    fn r028_the_method_hint_repeats_no_text_of_the_sender() {
        assert_eq!(
            method_hint(&headers(&[("mcp-method", "tools/call")])).unwrap(),
            "tools/call"
        );
        assert_eq!(method_hint(&headers(&[("mcp-method", "sxt_abc")])), None);
    }
}
