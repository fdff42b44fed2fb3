//! A request in its parts as bytes on the wire, so that each can be damaged; and the answer.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::mcp::support::modern_meta;

/// The headers of a stateless `tools/list`.
pub const LIST: &str = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n";
/// The headers of a stateless call of `query`.
pub const CALL: &str =
    "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: query\r\n";

/// The parts, each with its line ends.
#[derive(Clone)]
pub struct Request<'a> {
    pub method: &'a str,
    pub target: &'a str,
    pub host: &'a str,
    pub key: String,
    pub kind: &'a str,
    pub more: Cow<'a, str>,
    /// The framing headers; `Content-Length` if none are set.
    pub framing: Option<&'a str>,
    pub body: Vec<u8>,
}

impl Request<'_> {
    /// A valid `tools/list`.
    pub fn list(key: &str) -> Self {
        Self {
            method: "POST",
            target: "/mcp",
            host: "Host: 127.0.0.1\r\n",
            key: format!("Authorization: Bearer {key}\r\n"),
            kind: "Content-Type: application/json\r\n",
            more: LIST.into(),
            framing: None,
            body: list().into_bytes(),
        }
    }

    /// A call of `query` with this text as its arguments, JSON or not.
    pub fn call(key: &str, arguments: &str) -> Self {
        Self {
            more: CALL.into(),
            body: call(arguments).into_bytes(),
            ..Self::list(key)
        }
    }

    pub fn head(&self) -> String {
        let length = format!("Content-Length: {}\r\n", self.body.len());
        let framing = self.framing.unwrap_or(&length);
        let Self {
            method,
            target,
            host,
            key,
            kind,
            more,
            ..
        } = self;
        format!(
            "{method} {target} HTTP/1.1\r\n{host}{key}{kind}{more}Connection: close\r\n{framing}\r\n"
        )
    }

    /// The bytes for a connection that is to stay open.
    pub fn kept(&self) -> Vec<u8> {
        let head = self.head().replace("Connection: close\r\n", "");
        [head.as_bytes(), &self.body].concat()
    }

    pub fn bytes(&self) -> Vec<u8> {
        [self.head().as_bytes(), &self.body].concat()
    }
}

pub fn list() -> String {
    let params = json!({ "_meta": modern_meta() });
    json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": params }).to_string()
}

pub fn call(arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"query","arguments":{arguments},"_meta":{}}}}}"#,
        modern_meta()
    )
}

/// An answer.
#[derive(Debug)]
pub struct Told {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Told {
    pub fn read(answer: &str) -> Self {
        let (head, body) = answer
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("no answer: {answer:?}"));
        Self {
            status: head[9..12].parse().unwrap(),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The code: a number for JSON-RPC, a word for the other surfaces, null for a message that was served.
    pub fn code(&self) -> Value {
        let body = self.json();
        if body["jsonrpc"] == "2.0" {
            body["error"]["code"].clone()
        } else {
            assert!(body["message"].is_string(), "{self:?}");
            body["error"].clone()
        }
    }

    /// Asserts what every answer of the port has, whatever its content.
    pub fn is_well_formed(&self, name: &str) {
        for line in ["cache-control: no-store", "content-type: application/json"] {
            assert!(self.head.contains(line), "{name}: {self:?}");
        }
    }
}
