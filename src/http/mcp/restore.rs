//! The handshake of a session that is taken up, for rmcp to play once more (docs/asking.md#sessions).
//!
//! Nothing is stored: that there is a lease says that the session may live, and the lease says whose it is. What the client
//! declared beyond its name is not needed, since nothing is ever asked of a client.

use rmcp::model::{ClientCapabilities, Implementation, InitializeRequestParams, ProtocolVersion};
use rmcp::transport::streamable_http_server::session::store::{
    SessionState, SessionStore, SessionStoreError,
};

use super::sessions::{half_of, opened};

/// rmcp's store of handshakes.
pub(super) struct Handshakes;

type Outcome<T> = Result<T, SessionStoreError>;

#[async_trait::async_trait]
impl SessionStore for Handshakes {
    async fn load(&self, id: &str) -> Outcome<Option<SessionState>> {
        let lease = opened().filter(|lease| *half_of(lease) == *id);
        Ok(lease.map(|lease| {
            let client = lease.client();
            let client = Implementation::new(client.name.clone(), client.version.clone());
            let handshake = InitializeRequestParams::new(ClientCapabilities::default(), client);
            let version = ProtocolVersion::LATEST_WITH_INITIALIZE;
            SessionState::new(handshake.with_protocol_version(version))
        }))
    }

    async fn store(&self, _: &str, _: &SessionState) -> Outcome<()> {
        Ok(())
    }

    async fn delete(&self, _: &str) -> Outcome<()> {
        Ok(())
    }
}
