//! A connection that carries one session and its stream over a plain socket, so that a test can have thousands.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub struct Line(TcpStream);

impl Line {
    async fn to(address: &str) -> Self {
        let line = TcpStream::connect(address).await.unwrap();
        line.set_nodelay(true).unwrap();
        Self(line)
    }

    async fn send(&mut self, method: &str, key: &str, more: &str, body: &str) {
        let request = format!(
            "{method} /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: application/json\r\n{more}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.0.write_all(request.as_bytes()).await.unwrap();
    }

    /// Reads until this text has come.
    pub async fn until(&mut self, end: &str) -> String {
        let mut read = Vec::new();
        let mut piece = [0; 4096];
        loop {
            let text = String::from_utf8_lossy(&read);
            if text.contains(end) {
                return text.into_owned();
            }
            let count = self.0.read(&mut piece).await.unwrap();
            assert!(count > 0, "it ended: {text}");
            read.extend(piece.iter().take(count));
        }
    }

    /// Reads until the last byte of the stream.
    pub async fn rest(mut self) -> String {
        self.until("0\r\n\r\n").await
    }
}

/// A session of 2025-11-25, and its stream.
pub async fn streaming(address: &str, key: &str) -> Line {
    let mut line = Line::to(address).await;
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "line", "version": "1" },
    }});
    line.send("POST", key, "", &initialize.to_string()).await;
    let opened = line.until("0\r\n\r\n").await;
    let id = opened.split("mcp-session-id: ").nth(1).unwrap();
    let id = id.split("\r\n").next().unwrap();
    let more = format!("Mcp-Session-Id: {id}\r\nAccept: text/event-stream\r\n");
    line.send("GET", key, &more, "").await;
    line.until("\r\n\r\n").await;
    line
}

/// A client of 2026-07-28 with a name of its own, and so a session of its own, and its stream.
pub async fn listening(address: &str, key: &str, number: usize) -> Line {
    let mut line = Line::to(address).await;
    let meta: Value = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": format!("line {number}"), "version": "1" },
    });
    let params = json!({ "notifications": {}, "_meta": meta });
    let method = "subscriptions/listen";
    let listen = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    let more = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n";
    line.send("POST", key, more, &listen.to_string()).await;
    line.until("\n\n\r\n").await;
    line
}
