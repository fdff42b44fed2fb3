//! The handshake of a resumed session, which rmcp replays (docs/asking.md#sessions).
//!
//! Nothing is stored: the handshake is made anew from the lease, which exists only while the session may be used by its owner.
//! The capabilities that the client declared are not needed, since the server sends no requests to clients.

use rmcp::model::{ClientCapabilities, Implementation, InitializeRequestParams, ProtocolVersion};
use rmcp::transport::streamable_http_server::session::store::{
    SessionState, SessionStore, SessionStoreError,
};

use super::transports::{current_lease, transport_id};

/// rmcp's store of handshakes, which are made when they are loaded.
pub(super) struct Handshakes;

type StoreResult<T> = Result<T, SessionStoreError>;

#[async_trait::async_trait]
impl SessionStore for Handshakes {
    async fn load(&self, id: &str) -> StoreResult<Option<SessionState>> {
        let lease = current_lease().filter(|lease| *transport_id(lease) == *id);
        Ok(lease.map(|lease| {
            let client = lease.client();
            let client = Implementation::new(client.name.clone(), client.version.clone());
            let handshake = InitializeRequestParams::new(ClientCapabilities::default(), client);
            let version = ProtocolVersion::LATEST_WITH_INITIALIZE;
            SessionState::new(handshake.with_protocol_version(version))
        }))
    }

    async fn store(&self, _: &str, _: &SessionState) -> StoreResult<()> {
        Ok(())
    }

    async fn delete(&self, _: &str) -> StoreResult<()> {
        Ok(())
    }
}
