//! The requests that clients of both eras send.

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use super::soon;

pub struct Client {
    http: reqwest::Client,
    pub url: String,
    pub key: Option<String>,
}

/// The `_meta` of a stateless request.
pub fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    })
}

impl Client {
    pub fn new(url: &str, key: Option<String>) -> Self {
        Self {
            http: crate::support::http::builder().build().unwrap(),
            url: url.to_owned(),
            key,
        }
    }

    /// A request with the key, and nothing else.
    pub fn bare(&self, method: Method) -> RequestBuilder {
        let request = self.http.request(method, &self.url);
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// A POST of `body` with the headers that every message has.
    pub fn post(&self, body: impl ToString) -> RequestBuilder {
        self.bare(Method::POST)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .body(body.to_string())
    }

    /// A well-formed stateless request, to be sent or damaged.
    pub fn modern(&self, method: &str, mut params: Value) -> RequestBuilder {
        params["_meta"] = modern_meta();
        let request = self
            .post(json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }))
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        match params["name"].as_str() {
            Some(name) => request.header("mcp-name", name),
            None => request,
        }
    }

    /// A stateless call of a tool.
    pub fn modern_call(&self, tool: &str, arguments: Value) -> RequestBuilder {
        self.modern(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// An `initialize` request for `version`, in the era with sessions.
    pub fn initialize(&self, version: &str) -> RequestBuilder {
        self.post(
            json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": version,
                "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            }}),
        )
    }

    /// Opens a session and returns its id.
    pub async fn session(&self) -> String {
        let opened = send(self.initialize("2025-11-25")).await;
        assert_eq!(opened.status(), 200);
        let id = opened.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let accepted = send(self.post(ready).header("mcp-session-id", &id)).await;
        assert_eq!(accepted.status(), 202);
        id
    }

    /// A request in a session, without a version header.
    pub fn in_session(&self, session: &str, method: &str, params: Value) -> RequestBuilder {
        self.post(json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }))
            .header("mcp-session-id", session)
    }

    /// A call of a tool in a session.
    pub fn session_call(&self, session: &str, tool: &str, arguments: Value) -> RequestBuilder {
        self.in_session(
            session,
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// The stream of a session.
    pub fn listen(&self, session: &str) -> RequestBuilder {
        self.bare(Method::GET)
            .header("accept", "text/event-stream")
            .header("mcp-session-id", session)
    }
}

pub async fn send(request: RequestBuilder) -> Response {
    soon("an answer's head", request.send()).await.unwrap()
}

/// Sends the request; returns the status and the body as text.
pub async fn body_of(request: RequestBuilder) -> (u16, String) {
    let answer = send(request).await;
    let status = answer.status().as_u16();
    (
        status,
        soon("an answer's body", answer.text()).await.unwrap(),
    )
}

/// Sends the request; returns the status and the body's JSON: that of the last event, if the body is a stream.
pub async fn json_of(request: RequestBuilder) -> (u16, Value) {
    let (status, text) = body_of(request).await;
    (status, json_in(&text))
}

/// The JSON of a body, or of the last event of a stream.
pub fn json_in(text: &str) -> Value {
    let data = text.lines().rfind(|line| line.starts_with("data: {"));
    let json = data.map_or(text, |line| line.trim_start_matches("data: "));
    serde_json::from_str(json).unwrap_or_else(|_| panic!("no JSON: {text:?}"))
}
