//! Homes: a real Home Assistant with its demo world, and some that misbehave.

mod demo;
mod fake;
mod misbehaving;
mod server;
mod store;

use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{Diversions, StreamGuard, Trust};
use sextant_connectors::home_assistant::{ActionDomains, HomeAddress, HomeAssistant};
use sextant_connectors::round::{ChangeStream, RoundRequest};
use sextant_connectors::secret::SourceSecret;

use self::store::PageStore;

/// The connector of a home at this port.
fn home_at(port: u16, token: &str) -> HomeAssistant {
    let authority = Trust::system().unwrap();
    HomeAssistant {
        address: HomeAddress::parse(&format!("http://127.0.0.1:{port}")).unwrap(),
        token: SourceSecret::new(token),
        streams: StreamGuard::new(Diversions::default(), &authority),
        domains: ActionDomains::default(),
    }
}

/// A request for all that is not in the store.
#[expect(clippy::disallowed_methods, reason = "a real home has the real time")]
fn request(store: &PageStore) -> RoundRequest {
    RoundRequest {
        positions: store.positions(),
        since: None,
        now: Utc::now(),
        zone: chrono_tz::Tz::UTC,
    }
}

/// A request at an instant of one's own.
fn request_at(now: &str) -> RoundRequest {
    RoundRequest {
        positions: HashMap::new(),
        since: None,
        now: now.parse::<DateTime<Utc>>().unwrap(),
        zone: chrono_tz::Tz::UTC,
    }
}

/// Stores pages until something holds.
async fn store_until(
    changes: &mut dyn ChangeStream,
    store: &PageStore,
    holds: impl Fn(&PageStore) -> bool,
) -> Result<(), SourceFailure> {
    let storing = async {
        while !holds(store) {
            store.apply(&changes.next_page(store).await?);
        }
        Ok(())
    };
    let stored = tokio::time::timeout(Duration::from_secs(120), storing).await;
    stored.unwrap()
}

/// Stores the pass that a stream begins with.
async fn store_pass(
    changes: &mut dyn ChangeStream,
    store: &PageStore,
) -> Result<(), SourceFailure> {
    loop {
        let page = changes.next_page(store).await?;
        store.apply(&page);
        if page.scope == "entities" && page.pass.is_some_and(|pass| pass.is_complete) {
            return Ok(());
        }
    }
}
