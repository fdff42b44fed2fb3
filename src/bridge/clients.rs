//! Clients: registered, or found by what they call themselves.

use sextant_actors::random;

use super::Bridge;
use super::client::{BridgeClient, ClientId, ClientName, RedirectAddress};
use super::limits::{UNUSED_CLIENT_LIFE, UNUSED_CLIENTS_MAX};
use super::outcome::BridgeError;
use super::registration::ClientMetadata;
use super::sign_in_request::Unanswerable;
use crate::store::bridge::clients::{self, StoredClient};

/// Bytes of randomness in a registered client's id.
const ID_BYTES: usize = 16;

impl Bridge {
    /// Registers a client (RFC 7591 §3): it gets an id, and no secret, since such clients can keep none.
    ///
    /// # Errors
    /// [`BridgeError`].
    pub(crate) async fn register(
        &self,
        metadata: ClientMetadata,
    ) -> Result<BridgeClient, BridgeError> {
        let bytes = random::bytes::<ID_BYTES>().map_err(|_| BridgeError::NoRandomness)?;
        let client = BridgeClient {
            id: ClientId::registered(&random::base64url(&bytes)),
            name: metadata.name,
            redirects: metadata.redirects,
        };
        let redirects = client.redirects.iter();
        let stored = StoredClient {
            id: client.id.as_str().to_owned(),
            name: client.name.as_ref().map(ToString::to_string),
            redirect_uris: redirects.map(|own| own.as_str().to_owned()).collect(),
        };
        let now = self.0.clock.now();
        let spans = (now, now - UNUSED_CLIENT_LIFE);
        clients::register(&self.0.pool, &stored, spans, UNUSED_CLIENTS_MAX).await?;
        Ok(client)
    }

    /// The client of this id: from the database, or from its document.
    ///
    /// # Errors
    /// `Ok(Err)` when there is none that could be answered; [`BridgeError`] when the database cannot be read.
    pub(super) async fn find_client(
        &self,
        id: &str,
    ) -> Result<Result<BridgeClient, Unanswerable>, BridgeError> {
        match ClientId::parse(id) {
            Some(ClientId::Document(address)) => {
                let metadata = self.0.documents.fetch(&address).await;
                let metadata = metadata.ok_or(Unanswerable::DocumentUnavailable);
                Ok(metadata.map(|told| BridgeClient {
                    id: ClientId::Document(address),
                    name: told.name,
                    redirects: told.redirects,
                }))
            }
            Some(ClientId::Registered(id)) => {
                let unused_since = self.0.clock.now() - UNUSED_CLIENT_LIFE;
                let found = clients::find(&self.0.pool, &id, unused_since).await?;
                Ok(found.map(restored).ok_or(Unanswerable::UnknownClient))
            }
            None => Ok(Err(Unanswerable::UnknownClient)),
        }
    }

    /// Whether a client of this id may present codes and refresh tokens: one that registered must still be known.
    pub(super) async fn is_known(&self, id: &str) -> Result<bool, BridgeError> {
        match ClientId::parse(id) {
            Some(ClientId::Document(_)) => Ok(true),
            Some(ClientId::Registered(id)) => {
                let unused_since = self.0.clock.now() - UNUSED_CLIENT_LIFE;
                Ok(clients::find(&self.0.pool, &id, unused_since)
                    .await?
                    .is_some())
            }
            None => Ok(false),
        }
    }
}

/// An address that is none any more by our rules serves no more.
fn restored(stored: StoredClient) -> BridgeClient {
    let redirects = stored.redirect_uris.iter();
    BridgeClient {
        id: ClientId::Registered(stored.id),
        name: stored.name.as_deref().and_then(ClientName::clean),
        redirects: redirects
            .filter_map(|text| RedirectAddress::parse(text))
            .collect(),
    }
}
