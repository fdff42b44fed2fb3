//! A `subscriptions/listen` that is exactly as the protocol writes it, begun without rmcp. Whatever deviates is rmcp's to answer, and what
//! it begins is taken over then (`idle_stream`); but what it had allocated for so many streams leaves holes in the heap.

use actix_web::http::header::HeaderMap;
use rmcp::model::{RequestId, SubscriptionFilter};
use serde::Deserialize;
use serde_json::{Map, Value};
use sextant_actors::sessions::ClientInfo;

use super::wire::{Object, WireMeta, is_of_method, read_request};
use crate::http::mcp::protocol::{NAME_HEADER, SUBSCRIPTIONS_LISTEN};

/// A request for a stream that is served without rmcp.
pub(in crate::http::mcp) struct DirectListen {
    /// The request's id.
    pub(in crate::http::mcp) id: RequestId,
    /// Name and version that the client gives itself.
    pub(in crate::http::mcp) client: ClientInfo,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireParams<'a> {
    notifications: Map<String, Value>,
    #[serde(rename = "_meta", borrow)]
    meta: Object<WireMeta<'a>>,
}

impl DirectListen {
    /// Reads a body that came under `headers`; `None` where anything is not as the protocol writes it.
    pub(super) fn read(headers: &HeaderMap, body: &[u8]) -> Option<Self> {
        if !is_of_method(headers, SUBSCRIPTIONS_LISTEN) || headers.contains_key(NAME_HEADER) {
            return None;
        }
        let (id, params) = read_request::<WireParams<'_>>(body, SUBSCRIPTIONS_LISTEN)?;
        let Object(meta) = params.meta;
        // What rmcp would refuse is rmcp's to refuse.
        SubscriptionFilter::deserialize(Value::Object(params.notifications)).ok()?;
        Some(Self {
            id,
            client: meta.client()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;
    use crate::http::mcp::protocol::{METHOD_HEADER, VERSION_HEADER};

    const BODY: &str = r#"{"jsonrpc":"2.0","id":"a","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    const HEAD: [(&str, &str); 3] = [
        ("host", "localhost:1"),
        (VERSION_HEADER, "2026-07-28"),
        (METHOD_HEADER, SUBSCRIPTIONS_LISTEN),
    ];

    fn is_direct(head: &[(&'static str, &'static str)], body: &str) -> bool {
        DirectListen::read(&headers(head), body.as_bytes()).is_some()
    }

    #[test]
    fn a_request_as_the_protocol_writes_it_is_direct_and_no_other() {
        assert!(is_direct(&HEAD, BODY));
        for (from, to) in [
            (r#""id":"a""#, r#""id":null"#),
            (r#""id":"a""#, r#""id":"a","more":1"#),
            (r#"{"toolsListChanged":true}"#, "[]"),
            (r#"{"toolsListChanged":true}"#, r#"{"toolsListChanged":7}"#),
            (r#""_meta":{"#, r#""_meta":{"progressToken":1,"#),
            (r#"Version":"2026-07-28""#, r#"Version":"2025-11-25""#),
            ("subscriptions/listen", "tools/list"),
        ] {
            assert!(
                !is_direct(&HEAD, &BODY.replacen(from, to, 1)),
                "{from} {to}"
            );
        }
        assert!(!is_direct(
            &[&HEAD[..], &[(NAME_HEADER, "x")]].concat(),
            BODY
        ));
        assert!(!is_direct(&HEAD[..2], BODY));
    }
}
