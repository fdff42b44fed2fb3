//! One message as it is sent, and its whole answer.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::mcp::support::client::send;
use crate::mcp::support::{Client, modern_meta, soon};

#[derive(Clone, Debug)]
pub struct Message {
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl Message {
    pub fn call(id: Value, tool: &str, arguments: Value) -> Self {
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": tool, "arguments": arguments, "_meta": modern_meta() } });
        let headers = [
            ("content-type", "application/json"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", tool),
        ];
        Self {
            headers: headers.map(|(name, value)| (name, value.to_owned())).into(),
            body: body.to_string().into(),
        }
    }

    pub fn with_body(mut self, from: &str, to: &str) -> Self {
        let body = String::from_utf8_lossy(&self.body).replacen(from, to, 1);
        self.body = body.into();
        self
    }

    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn without_header(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self
    }

    /// The answer, as soon as its head has come.
    pub async fn send(&self, client: &Client) -> Response {
        let mut request = client.bare(Method::POST).body(self.body.clone());
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        send(request).await
    }

    pub async fn answer(&self, client: &Client) -> WholeAnswer {
        whole(self.send(client).await).await
    }
}

/// Status, headers and body.
pub type WholeAnswer = (u16, Vec<(String, String)>, String);

pub async fn whole(answer: Response) -> WholeAnswer {
    let status = answer.status().as_u16();
    let headers = answer.headers().iter();
    let headers = headers.filter(|(name, _)| *name != "date");
    let mut headers: Vec<(String, String)> = headers
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    // actix-web writes headers of different names in no fixed order.
    headers.sort();
    let body = soon("a body", answer.text()).await.unwrap();
    (status, headers, body)
}
