use std::fmt;

use rmcp::model::{CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::Value;

use super::error::DemoError;
use super::operator::client;

/// The client's name in the handshake.
const NAME: &str = "sextant-demo";

/// An MCP client, the SDK's own, with a session under the agent's key.
pub(super) struct Agent(RunningService<RoleClient, DemoClient>);

struct DemoClient;

impl ClientHandler for DemoClient {
    fn get_info(&self) -> ClientConfig {
        let who = Implementation::new(NAME, env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), who)
    }
}

/// The result of a call.
pub(super) enum QueryAnswer {
    /// The tool's result.
    Given(Value),
    /// The tool's refusal, in its words.
    Refused(String),
}

impl Agent {
    pub(super) async fn connect(url: &str, key: &str) -> Result<Self, DemoError> {
        let http = client()?;
        let config = StreamableHttpClientTransportConfig::with_uri(url).auth_header(key);
        let transport = StreamableHttpClientTransport::with_client(http, config);
        let session = DemoClient.serve(transport).await;
        Ok(Self(session.map_err(|cause| failed("connecting", cause))?))
    }

    /// The protocol's version that both agreed on.
    pub(super) fn version(&self) -> String {
        let peer = self.0.peer_info();
        peer.map_or_else(String::new, |peer| peer.protocol_version.to_string())
    }

    pub(super) async fn tools(&self) -> Result<Vec<String>, DemoError> {
        let tools = self.0.list_all_tools().await;
        let tools = tools.map_err(|cause| failed("listing the tools", cause))?;
        Ok(tools.iter().map(|tool| tool.name.to_string()).collect())
    }

    /// Calls `query`.
    pub(super) async fn query(&self, arguments: Value) -> Result<QueryAnswer, DemoError> {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let call = CallToolRequestParams::new("query").with_arguments(arguments);
        let result = self
            .0
            .call_tool(call)
            .await
            .map_err(|cause| failed("asking", cause))?;
        let text = result.content.first().and_then(|block| block.as_text());
        let text = text.map(|block| block.text.as_str()).unwrap_or_default();
        if result.is_error == Some(true) {
            return Ok(QueryAnswer::Refused(text.to_owned()));
        }
        let given =
            serde_json::from_str(text).map_err(|cause| failed("reading the answer", cause))?;
        Ok(QueryAnswer::Given(given))
    }

    /// Ends the session.
    pub(super) async fn leave(self) -> Result<(), DemoError> {
        let left = self.0.cancel().await;
        left.map(drop).map_err(|cause| failed("leaving", cause))
    }
}

fn failed(step: &str, cause: impl fmt::Display) -> DemoError {
    DemoError::Agent(format!("the agent failed at {step}: {cause}"))
}
