//! Home Assistant, over its WebSocket API.
//!
//! ```text
//! address.rs   where it answers               session.rs   a signed-in socket, and those who ask
//! wire.rs      its messages                   instant.rs   its two ways to write an instant
//! registry.rs  areas, devices, entities       state.rs     what an entity is now
//! snapshot.rs  everything at one instant      gathered.rs  what happened within a second
//! items.rs     rows, by their keys (key.rs)   pages.rs     items cut into pages
//! changes.rs   the stream of pages            history.rs   the past, read and told
//! acting.rs    what can be done there         token_end.rs when its token ends
//! ```

mod acting;
mod address;
mod changes;
mod gathered;
mod history;
mod instant;
mod items;
mod key;
mod pages;
mod registry;
mod session;
mod snapshot;
mod state;
mod token_end;
mod wire;

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;

pub use acting::ActionDomains;
pub use address::HomeAddress;
pub use items::HISTORY as HISTORY_SCOPE;
pub use token_end::token_ends_at;

use self::acting::HomeActuator;
use self::changes::HomeChanges;
use self::session::HomeSession;
use crate::failure::SourceFailure;
use crate::guard::StreamGuard;
use crate::round::{RoundRequest, Watch, WatchedSource};
use crate::secret::SourceSecret;

/// One home.
pub struct HomeAssistant {
    /// Where it answers.
    pub address: HomeAddress,
    /// A long-lived access token.
    pub token: SourceSecret,
    /// The way there.
    pub streams: StreamGuard,
    /// What may be acted on.
    pub domains: ActionDomains,
}

impl HomeAssistant {
    async fn connect(&self) -> Result<HomeSession, SourceFailure> {
        HomeSession::open(&self.streams, &self.address, &self.token).await
    }
}

#[async_trait]
impl Watch for HomeAssistant {
    async fn check(&self) -> Result<(), SourceFailure> {
        let session = self.connect().await?;
        let asked = session.ask(json!({"type": "get_config"})).await;
        asked.map(drop)
    }

    async fn open(&self, request: RoundRequest) -> Result<WatchedSource, SourceFailure> {
        let session = self.connect().await?;
        let actions = HomeActuator::new(session.clone(), self.domains.clone());
        let changes = HomeChanges::open(session, request).await?;
        Ok(WatchedSource {
            changes: Box::new(changes),
            actions: Arc::new(actions),
        })
    }
}
