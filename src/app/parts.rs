//! What the actors are started with: implementations of their ports on the database, and the tool service.

use std::path::PathBuf;
use std::sync::Arc;

use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::ports::{JournalDisk, ToolCalls};
use sextant_actors::tree::{ActorTree, TreePorts};

use super::Settings;
use crate::calls::{self, Clients};
use crate::db::{Database, ServicePool};
use crate::http::wire::AllSockets;
use crate::pushes::{PushStore, StoringSlots};
use crate::sealing::CredentialKeys;
use crate::store;
use crate::store::journal::JournalFolder;
use crate::sync::LiveHomes;

/// The actors' ports, implemented on the database.
pub(super) fn ports(
    database: &Database,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    sockets: &AllSockets,
) -> TreePorts {
    let pool = database.service();
    TreePorts {
        audit: Arc::new(store::audit::AuditLog::new(pool.clone())),
        grants: Arc::new(store::agents::GrantTable::new(pool.clone())),
        connections: Arc::new(store::connections::ConnectionTable::new(pool.clone())),
        outlets: Arc::new(sockets.clone()),
        journal: settings.journal.clone().and_then(journal),
        clock: Arc::clone(clock),
    }
}

/// What pushes and uploads are stored with.
pub(super) fn pushes(
    database: &Database,
    tree: &ActorTree,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> PushStore {
    PushStore {
        connections: tree.connections.clone(),
        audit: tree.audit.clone(),
        pool: database.service().clone(),
        clock: Arc::clone(clock),
        storing: StoringSlots::new(),
        zone: settings.zone,
    }
}

/// The journal's folder, if it can be opened: without it the service runs, and every row is counted as unjournaled.
fn journal(path: PathBuf) -> Option<Arc<dyn JournalDisk>> {
    match JournalFolder::open(path.clone()) {
        Ok(folder) => Some(Arc::new(folder)),
        Err(error) => {
            log::error!("there is no journal in {}: {error}", path.display());
            None
        }
    }
}

/// The tool service for these clients.
pub(super) fn tool_service(
    clients: Clients,
    database: &Database,
    connections: &ConnectionsHandle,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    homes: &LiveHomes,
) -> Arc<dyn ToolCalls> {
    Arc::new(calls::ToolService::new(calls::ToolServiceParts {
        readers: database.readers().clone(),
        clients,
        connections: connections.clone(),
        homes: homes.clone(),
        clock: Arc::clone(clock),
        zone: settings.zone,
    }))
}

/// Says how many credentials do not open with the keys that are there. The service runs without them: no key is made in their place.
pub(super) async fn say_unopened(pool: &ServicePool, keys: &CredentialKeys) {
    match store::sign_ins::count_unopened(pool, keys).await {
        Ok(0) => {}
        Ok(count) => log::error!(
            "the key of {count} stored credentials is not here: put back credentials.key or SEXTANT_KEY as they were, or enter these credentials again"
        ),
        Err(error) => log::warn!("stored credentials could not be tried: {error}"),
    }
}
