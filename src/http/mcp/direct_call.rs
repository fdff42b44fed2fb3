//! A `tools/call` of 2026-07-28 that is exactly as the protocol writes it: read once here, and served without rmcp.
//!
//! Whatever deviates is no direct call, and rmcp gets the same bytes; to a direct call its answer would be the same, byte by byte
//! (`tests/it/mcp/differential.rs`). A call in a session is rmcp's: its answer is an event of a stream that can be resumed, and
//! `notifications/cancelled` reaches it there.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::http::header::HeaderMap;
use rmcp::model::{ClientCapabilities, ProtocolVersion, RequestId, Tool};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use sextant_actors::domain::Call;
use sextant_actors::sessions::ClientInfo;

use super::envelope::{client_info, request_id};
use super::era::refuse_repeated;
use super::head_check::host_is_ours;
use super::measure::measure;
use super::protocol::{METHOD_HEADER, NAME_HEADER, TOOLS_CALL, VERSION_HEADER};

/// The keyword in a tool's schema by which a header must repeat an argument; rmcp compares those.
const HEADER_KEYWORD: &str = "\"x-mcp-header\"";

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

/// Whether calls are served without rmcp, and how many were: the tests send the same calls to a port that passes all of them to rmcp.
#[derive(Clone)]
pub struct DirectCalls(Option<Arc<AtomicU64>>);

/// The tools whose calls are served without rmcp.
pub(super) struct DirectTools {
    names: HashSet<Cow<'static, str>>,
    calls: DirectCalls,
}

/// A JSON object read as `T`. A derived reader alone would take an array of the members' values as well.
struct Object<T>(T);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireCall<'a> {
    jsonrpc: &'a str,
    id: Value,
    method: &'a str,
    #[serde(borrow)]
    params: Object<WireParams<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireParams<'a> {
    name: &'a str,
    arguments: Option<Map<String, Value>>,
    #[serde(rename = "_meta", borrow)]
    meta: Object<WireMeta<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireMeta<'a> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: &'a str,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Map<String, Value>,
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    client: Option<Value>,
}

impl DirectCalls {
    /// Calls are served without rmcp where that is possible.
    pub fn enabled() -> Self {
        Self(Some(Arc::default()))
    }

    /// Every call is passed to rmcp.
    pub const fn disabled() -> Self {
        Self(None)
    }

    /// How many calls were served without rmcp.
    pub fn count(&self) -> u64 {
        self.0
            .as_ref()
            .map_or(0, |count| count.load(Ordering::Relaxed))
    }
}

impl DirectTools {
    /// Of `tools`, those of which no header must repeat an argument.
    pub(super) fn new(tools: &[Tool], calls: DirectCalls) -> Self {
        let without_headers = tools.iter().filter(|tool| {
            let schema = serde_json::to_string(&*tool.input_schema);
            schema.is_ok_and(|schema| !schema.contains(HEADER_KEYWORD))
        });
        let names = without_headers.map(|tool| tool.name.clone()).collect();
        Self { names, calls }
    }

    /// The call that a message makes, if it is served without rmcp.
    pub(super) fn read(&self, headers: &HeaderMap, body: &[u8]) -> Option<DirectCall> {
        let count = self.calls.0.as_ref()?;
        let direct = DirectCall::read(headers, body)?;
        self.names.contains(&*direct.call.tool).then(|| {
            count.fetch_add(1, Ordering::Relaxed);
            direct
        })
    }
}

impl DirectCall {
    /// Reads a body that came under `headers`; `None` where anything is not as the protocol writes it.
    pub fn read(headers: &HeaderMap, body: &[u8]) -> Option<Self> {
        let named = named_tool(headers)?;
        measure(body).ok()?;
        let Object(wire) = serde_json::from_slice::<Object<WireCall<'_>>>(body).ok()?;
        let Object(params) = wire.params;
        let Object(meta) = params.meta;
        let is_well_formed = wire.jsonrpc == "2.0"
            && wire.method == TOOLS_CALL
            && params.name == named
            && meta.version == ProtocolVersion::V_2026_07_28.as_str()
            && are_capabilities(meta.capabilities);
        if !is_well_formed {
            return None;
        }
        let id = request_id(wire.id).ok()?;
        Some(Self {
            client: meta.client.as_ref().map(client_info).unwrap_or_default(),
            call: Call {
                tool: params.name.to_owned(),
                arguments: Value::Object(params.arguments.unwrap_or_default()),
                request_id: Some(id.to_string()),
            },
            id,
        })
    }
}

/// The tool that the headers of a well-formed call name; `None` under any other headers.
fn named_tool(headers: &HeaderMap) -> Option<&str> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let is_call = text(METHOD_HEADER) == Some(TOOLS_CALL)
        && text(VERSION_HEADER) == Some(ProtocolVersion::V_2026_07_28.as_str())
        && refuse_repeated(headers).is_ok()
        && host_is_ours(headers);
    is_call.then(|| text(NAME_HEADER))?
}

/// Whether rmcp reads them as capabilities of a client.
fn are_capabilities(capabilities: Map<String, Value>) -> bool {
    capabilities.is_empty() || ClientCapabilities::deserialize(Value::Object(capabilities)).is_ok()
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;

    const BODY: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"query","arguments":{"limit":1.50},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"n","version":"1"}}}}"#;
    const HEAD: [(&str, &str); 4] = [
        ("host", "localhost:1"),
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
