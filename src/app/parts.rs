//! What the actors are started with: implementations of their ports on the database, and the tool service.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::ports::{JournalDisk, Rounds, ToolCalls};
use sextant_actors::random::{self, Unavailable};
use sextant_actors::sign_ins::SignInsHandle;
use sextant_actors::tree::{ActorTree, TreePorts};

use super::Settings;
use crate::bridge::{Bridge, BridgeOwner};
use crate::calls::{self, Clients};
use crate::db::{Database, ServicePool};
use crate::http::wire::AllSockets;
use crate::pushes::{PushStore, StoringSlots};
use crate::sealing::CredentialKeys;
use crate::store;
use crate::store::journal::JournalFolder;
use crate::sync::{LiveHomes, SourceRounds, SyncParts, SyncThreads};
use crate::tokens::TokenRenewal;

/// The actors' ports, implemented on the database.
pub(super) fn ports(
    database: &Database,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    sockets: &AllSockets,
    sources: &Sources,
) -> TreePorts {
    let pool = database.service();
    TreePorts {
        audit: Arc::new(store::audit::AuditLog::new(pool.clone())),
        grants: Arc::new(store::agents::GrantTable::new(pool.clone())),
        connections: Arc::new(store::connections::ConnectionTable::new(pool.clone())),
        outlets: Arc::new(sockets.clone()),
        journal: settings.journal.clone().and_then(journal),
        rounds: Arc::clone(&sources.rounds),
        sign_ins: Some(sources.sign_ins.clone()),
        draw: Arc::new(random::draw),
        clock: Arc::clone(clock),
    }
}

/// What is read from sources, and what can be acted on there.
pub(super) struct Sources {
    pub rounds: Arc<dyn Rounds>,
    pub homes: LiveHomes,
    /// Their access tokens.
    pub sign_ins: SignInsHandle,
    /// Rounds run on them as long as they are there.
    pub threads: SyncThreads,
}

/// Rounds over the sources of the settings.
///
/// # Errors
/// When the system gives no thread.
pub(super) fn sources(
    database: &Database,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> io::Result<Sources> {
    let homes = LiveHomes::default();
    let store = (database.service().clone(), Arc::clone(clock), settings.zone);
    let (providers, keys) = (settings.providers.clone(), settings.keys.clone());
    let sign_ins = SignInsHandle::new(Arc::new(TokenRenewal {
        pool: database.service().clone(),
        providers: providers.clone(),
        keys: keys.clone(),
        clock: Arc::clone(clock),
    }));
    let parts = SyncParts::new(store, providers, keys, homes.clone(), sign_ins.clone());
    let threads = SyncThreads::start()?;
    Ok(Sources {
        rounds: Arc::new(SourceRounds::new(parts, &threads)),
        homes,
        sign_ins,
        threads,
    })
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

/// The bridge of agents elsewhere.
///
/// # Errors
/// When the system gives no randomness.
pub(super) fn bridge(
    database: &Database,
    tree: &ActorTree,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> Result<Bridge, Unavailable> {
    let owner = BridgeOwner {
        pool: database.service().clone(),
        grants: tree.grants.clone(),
        audit: tree.audit.clone(),
        clock: Arc::clone(clock),
    };
    Bridge::new(owner, settings.bridge.clone())
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
