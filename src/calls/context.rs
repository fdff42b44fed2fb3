//! What a tool works with while it serves one call: the caller, the time, and the connections for reads.

use std::sync::Arc;

use chrono_tz::Tz;
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::domain::{Caller, Sector};
use sextant_actors::random;

use super::clients::Clients;
use crate::db::Readers;
use crate::query::effort::Effort;
use crate::query::provenance;
use crate::query::readers::{CallReader, ReadError};
use crate::query::run::PublishedSources;
use crate::query::sources::ConnectedSource;
use crate::query::text::Nonce;
use crate::query::time::LocalTime;
use crate::sync::LiveHomes;

/// Bytes of the nonce in fences, the marks around text that other people wrote.
const NONCE_BYTES: usize = 9;

/// What the tools work with.
pub struct ToolServiceParts {
    /// The pools that calls read on.
    pub readers: Readers,
    /// Whose calls they are.
    pub clients: Clients,
    /// The connections whose sources `fetch_live` asks.
    pub connections: ConnectionsHandle,
    /// The homes that can be acted on now.
    pub homes: LiveHomes,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The operator's time zone.
    pub zone: Tz,
}

/// One call: its parts, its caller and its time, which stays the same throughout.
pub(super) struct CallContext<'a> {
    pub(super) parts: &'a ToolServiceParts,
    pub(super) caller: &'a Caller,
    pub(super) time: LocalTime,
}

impl CallContext<'_> {
    /// A connection for reads of this effort.
    pub(super) async fn reader(&self, effort: Effort) -> Result<CallReader, ReadError> {
        let (parts, agent) = (self.parts, self.caller.agent.as_ref());
        parts.clients.reader(&parts.readers, agent, effort).await
    }

    /// The connections of a sector as they are published, to be read before its rows are asked for.
    pub(super) fn published_sources(&self, sector: Sector) -> PublishedSources {
        provenance::published(&self.parts.connections, self.caller.user, sector)
    }

    /// The connections of these sectors, with the time that each covers.
    pub(super) async fn sources(
        &self,
        reader: &mut CallReader,
        sectors: impl IntoIterator<Item = Sector>,
    ) -> Result<Vec<ConnectedSource>, ReadError> {
        let statement = provenance::statement(self.caller.user, sectors);
        Ok(provenance::read(&reader.run(&statement).await?)?.sources)
    }
}

/// A nonce for fences; the author of a fenced text cannot know it.
pub(super) fn nonce() -> Nonce {
    Nonce::of(|| random::bytes::<NONCE_BYTES>().map(|bytes| random::base64url(&bytes)))
}
