//! In which of the protocol's eras a request is served (docs/asking.md#mcp).
//!
//! The body's `_meta` is asked first, then the `MCP-Protocol-Version` header; `initialize` is always the handshake of the
//! session era. rmcp classifies by the same rule; where the two could differ, the session id has been taken away before, so
//! that no request reaches a session without the ownership check.

use actix_web::http::header::HeaderMap;
use rmcp::model::ProtocolVersion;
use sextant_actors::sessions::SessionId;

use super::envelope::Envelope;
use super::fault::Fault;
use super::protocol::{SESSION_HEADER, SUPPORTED_VERSIONS, VERSION_HEADER};

/// Headers that mirror the body or name the session: standing twice, they contradict themselves.
const SINGLE_HEADERS: [&str; 4] = [VERSION_HEADER, SESSION_HEADER, "mcp-method", "mcp-name"];

/// How a request is to be served.
#[derive(Debug, PartialEq, Eq)]
pub enum Exchange {
    /// By itself (2026-07-28).
    Stateless,
    /// As the handshake that makes a session.
    Handshake,
    /// In the session that it names.
    InSession(SessionId),
}

/// Decides for a message.
///
/// # Errors
/// When a header stands twice, the version is not served, or a session id is missing.
pub(crate) fn of_message(envelope: &Envelope, headers: &HeaderMap) -> Result<Exchange, Fault> {
    refuse_repeated(headers)?;
    if envelope.method.as_deref() == Some("initialize") {
        return Ok(Exchange::Handshake);
    }
    let named = match &envelope.version {
        Some(version) => Some(version.as_str()),
        None => supported_header(headers)?,
    };
    let discovers = envelope.method.as_deref() == Some("server/discover");
    if envelope.self_contained || discovers || named.is_some_and(is_stateless) {
        Ok(Exchange::Stateless)
    } else {
        session(headers)
    }
}

/// Decides for a GET or DELETE, which only the session era knows.
///
/// # Errors
/// As [`of_message`], and when the version has no sessions.
pub fn of_stream(headers: &HeaderMap) -> Result<SessionId, Fault> {
    refuse_repeated(headers)?;
    if supported_header(headers)?.is_some_and(is_stateless) {
        return Err(Fault::MethodNotServed);
    }
    match session(headers)? {
        Exchange::InSession(id) => Ok(id),
        Exchange::Stateless | Exchange::Handshake => Err(Fault::SessionMissing),
    }
}

fn refuse_repeated(headers: &HeaderMap) -> Result<(), Fault> {
    let repeated = SINGLE_HEADERS
        .into_iter()
        .find(|name| headers.get_all(*name).count() > 1);
    repeated.map_or(Ok(()), |name| Err(Fault::RepeatedHeader(name)))
}

/// The version of the header, if there is one; absence is accepted (docs/asking.md#sessions).
///
/// # Errors
/// [`Fault::UnsupportedVersion`].
pub(crate) fn supported_header(headers: &HeaderMap) -> Result<Option<&str>, Fault> {
    let Some(value) = headers.get(VERSION_HEADER) else {
        return Ok(None);
    };
    let version = value.to_str().unwrap_or("?");
    if SUPPORTED_VERSIONS
        .iter()
        .any(|known| known.as_str() == version)
    {
        Ok(Some(version))
    } else {
        Err(Fault::UnsupportedVersion(version.to_owned()))
    }
}

/// Versions are dates, and compare as text.
fn is_stateless(version: &str) -> bool {
    version >= ProtocolVersion::NO_INITIALIZE.as_str()
}

fn session(headers: &HeaderMap) -> Result<Exchange, Fault> {
    let id = headers.get(SESSION_HEADER).ok_or(Fault::SessionMissing)?;
    let id = id.to_str().map_err(|_| Fault::SessionUnknown)?;
    Ok(Exchange::InSession(SessionId::from(id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;
    use serde_json::json;

    fn message(method: &str, meta: serde_json::Value) -> Envelope {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta}});
        Envelope::read(body.to_string().as_bytes()).unwrap()
    }

    fn modern(version: &str) -> serde_json::Value {
        json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    }

    #[test]
    fn the_body_is_asked_before_the_header() {
        let in_session = headers(&[(SESSION_HEADER, "s"), (VERSION_HEADER, "2025-11-25")]);
        let session = Exchange::InSession(SessionId::from("s"));
        for (envelope, expected) in [
            (message("tools/list", json!({})), session),
            (
                message("tools/list", modern("2026-07-28")),
                Exchange::Stateless,
            ),
            (
                message("tools/list", modern("1900-01-01")),
                Exchange::Stateless,
            ),
            (
                message("initialize", modern("2026-07-28")),
                Exchange::Handshake,
            ),
            (message("server/discover", json!({})), Exchange::Stateless),
        ] {
            assert_eq!(
                of_message(&envelope, &in_session).unwrap(),
                expected,
                "{envelope:?}"
            );
        }
    }

    #[test]
    fn without_meta_the_header_decides_and_may_be_missing() {
        let bare = message("tools/list", json!({}));
        let decide = |pairs: &[(&'static str, &'static str)]| of_message(&bare, &headers(pairs));
        assert_eq!(
            decide(&[(VERSION_HEADER, "2026-07-28")]),
            Ok(Exchange::Stateless)
        );
        assert_eq!(
            decide(&[(SESSION_HEADER, "s")]),
            Ok(Exchange::InSession(SessionId::from("s")))
        );
        assert_eq!(decide(&[]), Err(Fault::SessionMissing));
        for old in ["2025-03-26", "2024-11-05", "nonsense"] {
            let refused = decide(&[(VERSION_HEADER, old), (SESSION_HEADER, "s")]);
            assert_eq!(refused, Err(Fault::UnsupportedVersion(old.to_owned())));
        }
        assert_eq!(
            decide(&[(SESSION_HEADER, "a"), (SESSION_HEADER, "b")]),
            Err(Fault::RepeatedHeader(SESSION_HEADER))
        );
    }

    #[test]
    fn streams_belong_to_the_session_era() {
        let modern = headers(&[(SESSION_HEADER, "s"), (VERSION_HEADER, "2026-07-28")]);
        assert_eq!(of_stream(&modern), Err(Fault::MethodNotServed));
        assert_eq!(of_stream(&headers(&[])), Err(Fault::SessionMissing));
        assert_eq!(
            of_stream(&headers(&[(SESSION_HEADER, "s")])),
            Ok(SessionId::from("s"))
        );
    }
}
