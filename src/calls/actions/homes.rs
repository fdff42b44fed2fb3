//! The homes that are connected, and what each can do now.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use sextant_actors::domain::{ConnectionState, Sector};
use sextant_connectors::action::{ActionCatalog, Actuator};
use sextant_connectors::failure::SourceFailure;
use tokio::time::timeout;
use uuid::Uuid;

use crate::calls::context::CallContext;
use crate::providers::PUSH;

/// How long a home may take to say what it can do.
const CATALOG_DEADLINE: Duration = Duration::from_secs(10);

/// A connected home.
pub(super) struct ConnectedHome {
    pub(super) label: String,
    /// What it can do; `None` while it cannot be reached.
    pub(super) able: Option<AbleHome>,
}

/// A home that is listened to, and said what it can do.
pub(super) struct AbleHome {
    pub(super) catalog: ActionCatalog,
    pub(super) actuator: Arc<dyn Actuator>,
}

/// The active connections to homes, by label, each asked now what it can do. Those that push have no home that could be asked.
pub(super) async fn connected(context: &CallContext<'_>) -> Vec<ConnectedHome> {
    let published = context.parts.connections.snapshot();
    let mut homes: Vec<(String, Uuid)> = published
        .values()
        .filter(|known| known.sector == Sector::Home && known.user == context.caller.user)
        .filter(|known| known.provider != PUSH && known.state == ConnectionState::Active)
        .map(|known| (known.label.clone(), known.id))
        .collect();
    homes.sort();
    let asked = homes.into_iter().map(|(label, id)| async move {
        let able = match context.parts.homes.get(id) {
            Some(actuator) => able(actuator).await,
            None => None,
        };
        ConnectedHome { label, able }
    });
    join_all(asked).await
}

async fn able(actuator: Arc<dyn Actuator>) -> Option<AbleHome> {
    let asked = timeout(CATALOG_DEADLINE, actuator.catalog()).await;
    match asked {
        Ok(Ok(catalog)) => Some(AbleHome { catalog, actuator }),
        Ok(Err(failure)) => {
            log_unable(&failure);
            None
        }
        Err(_) => None,
    }
}

/// Its words are the home's own, and stay out of the log.
fn log_unable(failure: &SourceFailure) {
    log::debug!("a home did not say what it can do: {:?}", failure.kind);
}
