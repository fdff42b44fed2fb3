//! Constants of MCP that several files use: versions, a method, headers, and the server's name.

use rmcp::model::{
    Implementation, JsonRpcResponse, JsonRpcVersion2_0, ProtocolVersion, RequestId,
    SubscriptionsListenResult,
};

/// The versions of the protocol that are served, newest first; a batch, which 2025-03-26 requires, is not.
pub(super) const SUPPORTED_VERSIONS: &[ProtocolVersion] = &[
    ProtocolVersion::V_2026_07_28,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2025_06_18,
];

/// The method that calls a tool.
pub(super) const TOOLS_CALL: &str = "tools/call";
/// The method that opens a stream of notifications.
pub(super) const SUBSCRIPTIONS_LISTEN: &str = "subscriptions/listen";

/// Names the version of the protocol, in the session era.
pub(super) const VERSION_HEADER: &str = "mcp-protocol-version";
/// Names the session, in the session era.
pub(super) const SESSION_HEADER: &str = "mcp-session-id";

/// Repeats the method of the body.
pub(super) const METHOD_HEADER: &str = "mcp-method";
/// Repeats the name of the called tool.
pub(super) const NAME_HEADER: &str = "mcp-name";

/// Name, version and title of the server.
pub(super) fn implementation() -> Implementation {
    Implementation::new("sextant", env!("CARGO_PKG_VERSION"))
        .with_title("Sextant")
        .with_description("One person's own data in six sectors, through a grant")
}

/// The final message of a listen stream that the server ends (2026-07-28).
pub(super) fn listen_result(id: RequestId) -> JsonRpcResponse<SubscriptionsListenResult> {
    let mut result = SubscriptionsListenResult::complete(id.clone());
    result.meta.set_server_info(implementation());
    JsonRpcResponse {
        jsonrpc: JsonRpcVersion2_0,
        id,
        result,
    }
}
