//! In which of the protocol's eras a request is served (docs/asking.md#mcp).
//!
//! The body's `_meta` decides first, then the `MCP-Protocol-Version` header; `initialize` is always the handshake of the
//! session era. rmcp classifies by the same rule. A request that is not served in a session is passed to rmcp without its session
//! id, so that none reaches a session without the check of its owner, even if the two rules differed.

use actix_web::http::header::HeaderMap;
use rmcp::model::ProtocolVersion;
use sextant_actors::sessions::SessionId;

use super::envelope::Envelope;
use super::error::McpError;
use super::protocol::{
    METHOD_HEADER, NAME_HEADER, SESSION_HEADER, SUPPORTED_VERSIONS, VERSION_HEADER,
};

/// Headers that repeat a part of the body or name the session; one that occurs twice is ambiguous.
const SINGLE_HEADERS: [&str; 4] = [VERSION_HEADER, SESSION_HEADER, METHOD_HEADER, NAME_HEADER];

/// How a message is to be served.
#[derive(Debug, PartialEq, Eq)]
pub enum Exchange {
    /// By itself (2026-07-28).
    Stateless,
    /// As the handshake that makes a session.
    Handshake,
    /// In the session that it names.
    InSession(SessionId),
}

/// Decides how a message is served.
///
/// # Errors
/// When a header occurs twice, the version is not served, or a session id is missing.
pub(crate) fn of_message(envelope: &Envelope, headers: &HeaderMap) -> Result<Exchange, McpError> {
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

/// The session of a GET or DELETE, methods of the session era alone.
///
/// # Errors
/// As [`of_message`], and when the version has no sessions.
pub fn of_stream(headers: &HeaderMap) -> Result<SessionId, McpError> {
    refuse_repeated(headers)?;
    if supported_header(headers)?.is_some_and(is_stateless) {
        return Err(McpError::MethodNotServed);
    }
    match session(headers)? {
        Exchange::InSession(id) => Ok(id),
        Exchange::Stateless | Exchange::Handshake => Err(McpError::SessionMissing),
    }
}

/// Refuses headers that may occur once and occur more often.
///
/// # Errors
/// [`McpError::RepeatedHeader`].
pub(super) fn refuse_repeated(headers: &HeaderMap) -> Result<(), McpError> {
    let repeated = SINGLE_HEADERS
        .into_iter()
        .find(|name| headers.get_all(*name).count() > 1);
    repeated.map_or(Ok(()), |name| Err(McpError::RepeatedHeader(name)))
}

/// The version that the header names; it may be missing (docs/asking.md#sessions).
///
/// # Errors
/// [`McpError::UnsupportedVersion`].
pub(crate) fn supported_header(headers: &HeaderMap) -> Result<Option<&str>, McpError> {
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
        Err(McpError::UnsupportedVersion(version.to_owned()))
    }
}

/// Versions are dates, which sort as text.
fn is_stateless(version: &str) -> bool {
    version >= ProtocolVersion::NO_INITIALIZE.as_str()
}

fn session(headers: &HeaderMap) -> Result<Exchange, McpError> {
    let id = headers
        .get(SESSION_HEADER)
        .ok_or(McpError::SessionMissing)?;
    let id = id.to_str().map_err(|_| McpError::SessionUnknown)?;
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
        assert_eq!(decide(&[]), Err(McpError::SessionMissing));
        for old in ["2025-03-26", "2024-11-05", "nonsense"] {
            let refused = decide(&[(VERSION_HEADER, old), (SESSION_HEADER, "s")]);
            assert_eq!(refused, Err(McpError::UnsupportedVersion(old.to_owned())));
        }
        assert_eq!(
            decide(&[(SESSION_HEADER, "a"), (SESSION_HEADER, "b")]),
            Err(McpError::RepeatedHeader(SESSION_HEADER))
        );
    }

    #[test]
    fn streams_belong_to_the_session_era() {
        let modern = headers(&[(SESSION_HEADER, "s"), (VERSION_HEADER, "2026-07-28")]);
        assert_eq!(of_stream(&modern), Err(McpError::MethodNotServed));
        assert_eq!(of_stream(&headers(&[])), Err(McpError::SessionMissing));
        assert_eq!(
            of_stream(&headers(&[(SESSION_HEADER, "s")])),
            Ok(SessionId::from("s"))
        );
    }
}
