//! What every stateless request has in common when it is exactly as the protocol writes it: its headers, and what it says of itself.

use std::fmt;
use std::marker::PhantomData;

use actix_web::http::header::HeaderMap;
use rmcp::model::{ClientCapabilities, ProtocolVersion, RequestId};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use sextant_actors::sessions::ClientInfo;

use crate::http::mcp::envelope::{client_info, request_id};
use crate::http::mcp::era::refuse_repeated;
use crate::http::mcp::measure::measure;
use crate::http::mcp::protocol::{METHOD_HEADER, VERSION_HEADER};

/// A JSON object read as `T`. A derived reader alone would take an array of the members' values as well.
pub(super) struct Object<T>(pub(super) T);

/// A request whose parameters are `P`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "P: Deserialize<'de>"))]
struct WireRequest<'a, P> {
    #[serde(borrow)]
    jsonrpc: &'a str,
    id: Value,
    #[serde(borrow)]
    method: &'a str,
    params: Object<P>,
}

/// Id and parameters of the request of this method in `body`; `None` where anything is not as the protocol writes it.
pub(super) fn read_request<'a, P: Deserialize<'a>>(
    body: &'a [u8],
    method: &str,
) -> Option<(RequestId, P)> {
    measure(body).ok()?;
    let Object(wire) = serde_json::from_slice::<Object<WireRequest<'a, P>>>(body).ok()?;
    let Object(params) = wire.params;
    if wire.jsonrpc != "2.0" || wire.method != method {
        return None;
    }
    Some((request_id(wire.id).ok()?, params))
}

/// What a stateless request says of itself: version, capabilities, and its client if that names itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireMeta<'a> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: &'a str,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Map<String, Value>,
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    client: Option<Value>,
}

impl WireMeta<'_> {
    /// The client of a well-formed request of 2026-07-28; `None` if this is another.
    pub(super) fn client(self) -> Option<ClientInfo> {
        let is_well_formed = self.version == ProtocolVersion::V_2026_07_28.as_str()
            && are_capabilities(self.capabilities);
        let client = self.client.as_ref().map(client_info);
        is_well_formed.then(|| client.unwrap_or_default())
    }
}

/// Whether the headers are those of a well-formed request of 2026-07-28 with this method.
pub(super) fn is_of_method(headers: &HeaderMap, method: &str) -> bool {
    text(headers, METHOD_HEADER) == Some(method)
        && text(headers, VERSION_HEADER) == Some(ProtocolVersion::V_2026_07_28.as_str())
        && refuse_repeated(headers).is_ok()
}

/// The text of a header that is there and legible.
pub(super) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
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
