//! A call of `describe_context` as the protocol without sessions writes it.

use reqwest::RequestBuilder;
use serde_json::json;

/// Makes it of a POST to the agent port, with this key or token.
pub fn stateless_call(post: RequestBuilder, bearer: &str) -> RequestBuilder {
    post.bearer_auth(bearer)
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "describe_context")
        .json(&json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {
                "name": "describe_context", "arguments": {},
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                }
            }
        }))
}
