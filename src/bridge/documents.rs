//! The documents of clients that are known by an address: fetched anew for every sign-in, through the guard that leads to public addresses
//! alone.

use std::fmt;
use std::sync::Arc;

use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{Diversions, PublicGuard, Trust};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use url::Url;

use super::limits::{DOCUMENT_BYTES_MAX, DOCUMENT_TURN_WAIT, DOCUMENTS_AT_ONCE_MAX};
use super::registration::ClientMetadata;

/// How documents are reached. The system's names and authorities, unless a test leads a name elsewhere: no setting does.
#[derive(Clone, Default)]
pub struct DocumentWay {
    pub names: Diversions,
    pub trust: Option<Trust>,
}

impl fmt::Debug for DocumentWay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = &self.names;
        formatter
            .debug_struct("DocumentWay")
            .field("names", names)
            .finish_non_exhaustive()
    }
}

/// Fetches documents, a few at a time.
pub(super) struct ClientDocuments {
    guard: Result<PublicGuard, SourceFailure>,
    turns: Arc<Semaphore>,
}

impl ClientDocuments {
    /// By this way. Without any authority to trust, no document can be had.
    pub(super) fn new(way: DocumentWay) -> Self {
        let trust = way.trust.map_or_else(Trust::system, Ok);
        let guard = trust.and_then(|trust| PublicGuard::new(way.names, &trust));
        if let Err(cause) = &guard {
            log::warn!("clients with a document of their own cannot sign in: {cause}");
        }
        Self {
            guard,
            turns: Arc::new(Semaphore::new(DOCUMENTS_AT_ONCE_MAX)),
        }
    }

    /// What the client at this address says of itself; `None` if that cannot be had now, or is not of this client.
    pub(super) async fn fetch(&self, address: &Url) -> Option<ClientMetadata> {
        let guard = self.guard.as_ref().ok()?;
        let turn = timeout(DOCUMENT_TURN_WAIT, self.turns.acquire()).await;
        let _turn = turn.ok()?.ok()?;
        let answer = match guard.get(address, DOCUMENT_BYTES_MAX).await {
            Ok(answer) if answer.status.as_u16() == 200 => answer,
            Ok(answer) => {
                log::info!("the document of a client answered {}", answer.status);
                return None;
            }
            Err(failure) => {
                log::info!("the document of a client could not be fetched: {failure}");
                return None;
            }
        };
        let read = ClientMetadata::parse_document(&answer.body, address.as_str());
        read.inspect_err(|fault| log::info!("the document of a client is none: {fault}"))
            .ok()
    }
}
