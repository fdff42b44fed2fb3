//! The shared state of the agent port, and the admission of its requests: a refused key leaves its audit row here (r028, r033).

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use sextant_actors::audit::AuditHandle;
use sextant_actors::domain::KeyRefusal;
use sextant_actors::sessions::{ClientInfo, Era, Lease};

use super::connection_owner::ConnectionOwner;
use super::direct::DirectMessages;
use super::error::McpError;
use super::service::AgentService;
use super::transports::LeasedSessions;
use crate::capacity::Quota;
use crate::exposure::Exposure;
use crate::http::admission::{Admission, Admitted, NotAdmitted};

/// The methods that a refused handshake's row may name; any other text comes from the sender, and is not logged.
const KNOWN_METHODS: [&str; 9] = [
    "initialize",
    "notifications/initialized",
    "notifications/cancelled",
    "ping",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
    "logging/setLevel",
];

/// The agent port.
pub(super) struct AgentPort {
    /// Resolves keys and opens sessions.
    pub admission: Admission,
    /// Takes the rows of calls that reach no session.
    pub audit: AuditHandle,
    /// Whether the OAuth bridge is on.
    pub exposure: Exposure,
    /// rmcp's transports of the sessions.
    pub transports: LeasedSessions,
    /// Connections of one agent.
    pub connections: Quota,
    /// Bytes of one agent's request bodies.
    pub uploads: Quota,
    /// The tools whose calls are served without rmcp.
    pub direct: DirectMessages,
    /// rmcp's service, which serves every other message.
    pub rmcp: StreamableHttpService<AgentService, LeasedSessions>,
}

impl AgentPort {
    /// Admits a request: counts its connection as the agent's, and reserves nothing yet of the agent's upload bytes.
    ///
    /// # Errors
    /// [`McpError::NotAdmitted`]; [`McpError::Unavailable`] if the request came over no connection of this server.
    pub(super) async fn admit(&self, request: &HttpRequest) -> Result<Admitted<'_>, McpError> {
        let identified = self.admission.identify(request.headers());
        let caller = self.record_refusal(identified, request.headers()).await?;
        let owner = request.conn_data::<ConnectionOwner>();
        let owner = owner.ok_or(McpError::Unavailable)?;
        owner.claim(&self.connections, caller.agent())?;
        let upload = self.uploads.take(caller.agent(), 0)?;
        Ok(caller.admit(upload))
    }

    /// Opens a session for an admitted request.
    ///
    /// # Errors
    /// [`McpError::NotAdmitted`].
    pub(super) async fn open(
        &self,
        caller: &Admitted<'_>,
        headers: &HeaderMap,
        (client, era): (ClientInfo, Era),
    ) -> Result<Lease, McpError> {
        let opened = caller.open(client, era).await;
        self.record_refusal(opened, headers).await
    }

    /// Leaves the audit row of a refused key, as a refused `initialize`. A request without a key leaves one while the bridge is on, which
    /// such a request is how hosted agents find.
    async fn record_refusal<T>(
        &self,
        result: Result<T, NotAdmitted>,
        headers: &HeaderMap,
    ) -> Result<T, McpError> {
        let refusal = match &result {
            Err(NotAdmitted::MalformedKey) => Some(KeyRefusal::UnknownAgent),
            Err(NotAdmitted::KeyRefused(refusal)) => Some(*refusal),
            Err(NotAdmitted::NoKey) if self.exposure.address().is_some() => {
                Some(KeyRefusal::UnknownAgent)
            }
            _ => None,
        };
        if let Some(refusal) = refusal {
            let method = method_hint(headers);
            self.audit.record_refused_handshake(refusal, method).await;
        }
        Ok(result?)
    }
}

fn method_hint(headers: &HeaderMap) -> Option<String> {
    let named = headers.get("mcp-method")?.to_str().ok()?;
    KNOWN_METHODS
        .iter()
        .find(|method| **method == named)
        .map(|method| (*method).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::headers::tests::headers;

    #[test]
    fn r028_the_method_hint_repeats_no_text_of_the_sender() {
        assert_eq!(
            method_hint(&headers(&[("mcp-method", "tools/call")])).unwrap(),
            "tools/call"
        );
        assert_eq!(method_hint(&headers(&[("mcp-method", "sxt_abc")])), None);
    }
}
