//! One JSON-RPC message, read as far as the port needs: method, id, protocol version and client.
//!
//! rmcp parses the whole message again. What is refused here it would answer with a plain text instead of a JSON-RPC error.

use rmcp::model::RequestId;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use sextant_actors::sessions::ClientInfo;

use super::error::{McpError, RequestError};
use super::limits::CLIENT_WORD_CHARS_MAX;
use super::measure::measure;

/// The keys of `params._meta` that carry what a handshake carried before 2026-07-28.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";

/// What the port reads of one message.
#[derive(Debug, PartialEq)]
pub struct Envelope {
    /// The id of a request; `None` for notifications and responses, which get no answer.
    pub id: Option<RequestId>,
    /// The method of a request or notification.
    pub method: Option<String>,
    /// The protocol version that its `_meta` names.
    pub version: Option<String>,
    /// Whether its `_meta` has version and capabilities, as a stateless request must.
    pub self_contained: bool,
    /// Name and version that the client gives itself.
    pub client: ClientInfo,
}

#[derive(Deserialize)]
struct WireMessage {
    jsonrpc: String,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: Option<String>,
    params: Option<WireParams>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct WireParams {
    #[serde(rename = "_meta")]
    meta: Option<Value>,
    #[serde(rename = "clientInfo")]
    client: Option<Value>,
}

/// Keeps `null` apart from absence.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Envelope {
    /// Reads one message.
    ///
    /// # Errors
    /// Those of [`measure`], [`McpError::NotJson`], [`McpError::Batch`], [`McpError::NotAMessage`] or [`McpError::MalformedMeta`], with the
    /// request's id once known.
    pub fn read(body: &[u8]) -> Result<Self, RequestError> {
        measure(body)?;
        // serde_json does not check that skipped texts are UTF-8.
        let text = std::str::from_utf8(body).map_err(|_| McpError::NotJson)?;
        if is_array(body) {
            serde_json::from_str::<IgnoredAny>(text).map_err(|_| McpError::NotJson)?;
            return Err(McpError::Batch.into());
        }
        let wire: WireMessage = serde_json::from_str(text).map_err(|_| unreadable_error(text))?;
        wire.into_envelope()
    }
}

fn is_array(body: &[u8]) -> bool {
    body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[')
}

fn unreadable_error(text: &str) -> McpError {
    if serde_json::from_str::<IgnoredAny>(text).is_ok() {
        McpError::NotAMessage(
            "the body is no JSON-RPC message: `jsonrpc`, `method` and `params` must be as JSON-RPC 2.0 has them",
        )
    } else {
        McpError::NotJson
    }
}

impl WireMessage {
    fn into_envelope(self) -> Result<Envelope, RequestError> {
        if self.jsonrpc != "2.0" {
            return Err(McpError::NotAMessage("`jsonrpc` must be \"2.0\"").into());
        }
        let id = self.id.map(request_id).transpose()?;
        if self.method.is_none() && self.result.is_none() && self.error.is_none() {
            let error = McpError::NotAMessage("the message has no `method`");
            return Err(RequestError { id, error });
        }
        let params = self.params.unwrap_or(WireParams {
            meta: None,
            client: None,
        });
        let meta = object(params.meta).map_err(|error| RequestError {
            id: id.clone(),
            error,
        })?;
        let client = meta
            .get(META_CLIENT)
            .or(params.client.as_ref())
            .map(client_info);
        Ok(Envelope {
            id: id.filter(|_| self.method.is_some()),
            method: self.method,
            version: meta
                .get(META_VERSION)
                .and_then(Value::as_str)
                .map(str::to_owned),
            self_contained: meta.get(META_VERSION).is_some_and(Value::is_string)
                && meta.get(META_CAPABILITIES).is_some_and(Value::is_object),
            client: client.unwrap_or_default(),
        })
    }
}

/// An id is a text or a whole number (MCP is stricter than JSON-RPC: null is none).
pub(super) fn request_id(id: Value) -> Result<RequestId, McpError> {
    match id {
        Value::String(text) => Some(RequestId::String(text.into())),
        Value::Number(number) => number.as_i64().map(RequestId::Number),
        _ => None,
    }
    .ok_or(McpError::NotAMessage(
        "`id` must be a string or a whole number",
    ))
}

fn object(meta: Option<Value>) -> Result<Map<String, Value>, McpError> {
    match meta {
        None => Ok(Map::new()),
        Some(Value::Object(meta)) => Ok(meta),
        Some(_) => Err(McpError::MalformedMeta),
    }
}

/// Name and version that a client gives itself.
pub(super) fn client_info(client: &Value) -> ClientInfo {
    ClientInfo {
        name: printable(client.get("name")),
        version: printable(client.get("version")),
    }
}

/// A name or version as the Console shows it: printable, and cut to [`CLIENT_WORD_CHARS_MAX`]; empty when it is not given.
fn printable(value: Option<&Value>) -> String {
    let text = value.and_then(Value::as_str).unwrap_or_default();
    text.chars()
        .filter(|character| !character.is_control())
        .take(CLIENT_WORD_CHARS_MAX)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(body: &str) -> McpError {
        Envelope::read(body.as_bytes()).unwrap_err().error
    }

    #[test]
    fn what_is_no_message_is_told_apart_from_what_is_no_json() {
        assert_eq!(error("{"), McpError::NotJson);
        assert_eq!(error("{} x"), McpError::NotJson);
        assert_eq!(error(" [1"), McpError::NotJson);
        assert_eq!(error(" [{}]"), McpError::Batch);
        for body in [
            r#"{}"#,
            r#""text""#,
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#,
        ] {
            assert!(matches!(error(body), McpError::NotAMessage(_)), "{body}");
        }
    }

    #[test]
    fn the_meta_of_a_stateless_request_is_read() {
        let body = json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list", "params": {"_meta": {
            META_VERSION: "2026-07-28",
            META_CAPABILITIES: {},
            META_CLIENT: {"name": "n\u{7}ame", "version": "1".repeat(200)},
        }}});
        let envelope = Envelope::read(body.to_string().as_bytes()).unwrap();
        assert_eq!(envelope.id, Some(RequestId::String("a".into())));
        assert_eq!(envelope.version.as_deref(), Some("2026-07-28"));
        assert!(envelope.self_contained);
        assert_eq!(envelope.client.name, "name");
        assert_eq!(envelope.client.version.len(), CLIENT_WORD_CHARS_MAX);
    }

    #[test]
    fn a_response_of_the_client_is_a_message_without_an_id_to_answer() {
        let envelope = Envelope::read(br#"{"jsonrpc":"2.0","id":3,"result":{}}"#).unwrap();
        assert_eq!((envelope.id, envelope.method), (None, None));
    }
}
