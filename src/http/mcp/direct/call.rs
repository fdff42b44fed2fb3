//! A `tools/call` of 2026-07-28 that is exactly as the protocol writes it: read once here, and served without rmcp.
//!
//! Whatever deviates is no direct call, and rmcp gets the same bytes; to a direct call its answer would be the same, byte by byte
//! (`tests/it/mcp/differential.rs`). A call in a session is rmcp's: its answer is an event of a stream that can be resumed, and
//! `notifications/cancelled` reaches it there.

use actix_web::http::header::HeaderMap;
use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::{Map, Value};
use sextant_actors::domain::Call;
use sextant_actors::sessions::ClientInfo;

use super::wire::{Object, WireMeta, is_of_method, read_request, text};
use crate::http::mcp::protocol::{NAME_HEADER, TOOLS_CALL};

/// A call that is served without rmcp.
#[derive(Debug)]
pub struct DirectCall {
    /// The request's id.
    pub id: RequestId,
    /// Name and version that the client gives itself.
    pub client: ClientInfo,
    /// The call.
    pub call: Call,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireParams<'a> {
    name: &'a str,
    arguments: Option<Map<String, Value>>,
    #[serde(rename = "_meta", borrow)]
    meta: Object<WireMeta<'a>>,
}

impl DirectCall {
    /// Reads a body that came under `headers`; `None` where anything is not as the protocol writes it.
    pub fn read(headers: &HeaderMap, body: &[u8]) -> Option<Self> {
        let named = is_of_method(headers, TOOLS_CALL).then(|| text(headers, NAME_HEADER))??;
        let (id, params) = read_request::<WireParams<'_>>(body, TOOLS_CALL)?;
        let Object(meta) = params.meta;
        if params.name != named {
            return None;
        }
        Some(Self {
            client: meta.client()?,
            call: Call {
                tool: params.name.to_owned(),
                arguments: Value::Object(params.arguments.unwrap_or_default()),
                request_id: Some(id.to_string()),
            },
            id,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;
    use crate::http::mcp::protocol::{METHOD_HEADER, VERSION_HEADER};

    const BODY: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"query","arguments":{"limit":1.50},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"n","version":"1"}}}}"#;
    const HEAD: [(&str, &str); 3] = [
        (VERSION_HEADER, "2026-07-28"),
        (METHOD_HEADER, "tools/call"),
        (NAME_HEADER, "query"),
    ];

    fn read(body: &str) -> Option<DirectCall> {
        DirectCall::read(&headers(&HEAD), body.as_bytes())
    }

    #[test]
    fn a_call_as_the_protocol_writes_it_is_read_once_and_whole() {
        let direct = read(BODY).unwrap();
        assert_eq!(direct.id, RequestId::Number(7));
        assert_eq!(direct.client.name, "n");
        assert_eq!(direct.call.tool, "query");
        assert_eq!(direct.call.arguments.to_string(), r#"{"limit":1.50}"#);
        assert_eq!(direct.call.request_id.as_deref(), Some("7"));
        let without = BODY.replace(r#""arguments":{"limit":1.50},"#, "");
        assert_eq!(read(&without).unwrap().call.arguments.to_string(), "{}");
    }

    #[test]
    fn whatever_deviates_is_left_to_rmcp() {
        for (from, to) in [
            (r#""id":7"#, r#""id":7,"id":7"#),
            (r#""id":7"#, r#""id":7.5"#),
            (r#""id":7"#, r#""id":null"#),
            (r#""id":7"#, r#""id":7,"extra":1"#),
            ("tools/call", r"tools\/call"),
            ("tools/call", "tools/list"),
            (r#""name":"query""#, r#""name":"query","name":"query""#),
            (r#""name":"query""#, r#""name":"get_schema""#),
            (r#""name":"query""#, r#""name":"query","task":{}"#),
            (r#"{"limit":1.50}"#, "[1]"),
            (r#""_meta":{"#, r#""_meta":{"progressToken":1,"#),
            (r#"Version":"2026-07-28""#, r#"Version":"2025-11-25""#),
            (r#"Capabilities":{}"#, r#"Capabilities":{"roots":7}"#),
            (r#"Capabilities":{}"#, r#"Capabilities":[]"#),
            ("2.0", "1.0"),
        ] {
            assert!(read(&BODY.replacen(from, to, 1)).is_none(), "{from} {to}");
        }
        assert!(read(&format!("[{BODY}]")).is_none());
        let array = r#"["2.0",7,"tools/call",["query",{},["2026-07-28",{},null]]]"#;
        assert!(read(array).is_none());
        for (at, header) in HEAD.into_iter().enumerate() {
            let mut head = HEAD.to_vec();
            head.remove(at);
            assert!(DirectCall::read(&headers(&head), BODY.as_bytes()).is_none());
            let mut head = HEAD.to_vec();
            head.push(header);
            assert!(DirectCall::read(&headers(&head), BODY.as_bytes()).is_none());
        }
    }
}
