//! What the actors are started with: implementations of their ports on the database, and the tool service.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::ports::{
    JournalDisk, PortError, PortFuture, RoundEnd, RoundOrder, RoundReport, Rounds, Settlement,
    SyncPlan, ToolCalls,
};
use sextant_actors::random;
use sextant_actors::tree::{ActorTree, TreePorts};
use uuid::Uuid;

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
        rounds: Arc::new(NoSources),
        draw: Arc::new(random::draw),
        clock: Arc::clone(clock),
    }
}

/// Rounds of a service that reads no source: each connection of one waits for a person.
struct NoSources;

impl Rounds for NoSources {
    fn plan(&self, _: Uuid) -> PortFuture<Result<SyncPlan, PortError>> {
        let plan = SyncPlan {
            interval: Duration::from_secs(15 * 60),
            is_stream: false,
            last_success_at: None,
            retry_at: None,
            needs_person: true,
        };
        Box::pin(async move { Ok(plan) })
    }

    fn run(&self, _: RoundOrder) -> PortFuture<RoundReport> {
        Box::pin(async { RoundReport::of(RoundEnd::NeedsPerson) })
    }

    fn settle(&self, _: Uuid, _: Settlement) -> PortFuture<Result<(), PortError>> {
        Box::pin(async { Ok(()) })
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
