//! The composition root: everything is made here, in order, and stopped here, in order (ARCHITECTURE.md, Start and stop).
//!
//! ```text
//! start:  both ports are bound -> database -> audit log and its journal, sessions, grants, connections -> both ports listen -> ready
//! stop:   no new sessions, sessions end -> connections halt -> events, exports and uploads are cut -> both servers -> the audit log is
//!         written, its journal closes -> the database
//! ```

mod hourly;
mod open_files;
mod parts;
mod port;
mod run;
mod servers;
mod settings;
mod start_error;
mod stop;

use std::net::SocketAddr;
use std::sync::Arc;

use sextant_actors::clock::Clock;
use sextant_actors::tree::{ActorTree, TreePorts};
use tokio::task::JoinHandle;

use crate::calls::Clients;
use crate::capacity::Quotas;
use crate::db::Database;
use crate::export::ExportSlots;
use crate::http::console::EventStreams;
use crate::http::wire::AllSockets;
use crate::sync::SyncThreads;
use crate::uploads::Uploads;
use port::HeldPorts;
use servers::{ServerParts, Servers};

pub use run::{RunError, run, run_while};
pub use settings::Settings;
pub use start_error::StartError;
pub use stop::Unfinished;

/// The running service.
pub struct App {
    /// Where the Console port listens.
    pub console: SocketAddr,
    /// Where the agent port listens.
    pub agents: SocketAddr,
    /// The actors' handles.
    pub tree: ActorTree,
    database: Database,
    servers: Servers,
    exports: ExportSlots,
    events: EventStreams,
    uploads: Uploads,
    roll: JoinHandle<()>,
    /// Ends last: rounds are halted before.
    _sync_threads: SyncThreads,
}

impl App {
    /// Starts everything on an open database. On an error the actors end with the process; the database is handed back.
    ///
    /// # Errors
    /// Which port cannot be opened, or which actor gave up.
    pub async fn start(
        database: Database,
        settings: Settings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, (StartError, Database)> {
        let replace_ports = |ports| ports;
        Self::start_with(
            database,
            settings,
            clock,
            replace_ports,
            std::future::pending(),
        )
        .await
    }

    /// The same, with the actors' ports replaced by what `replace_ports` returns, unless `stop` resolves first: an actor may wait
    /// for its database for ever.
    ///
    /// # Errors
    /// As above, or that the stop was asked for.
    pub async fn start_with(
        database: Database,
        settings: Settings,
        clock: Arc<dyn Clock>,
        replace_ports: impl FnOnce(TreePorts) -> TreePorts,
        stop: impl Future<Output = ()>,
    ) -> Result<Self, (StartError, Database)> {
        match HeldPorts::take(&settings) {
            Ok(held) => Self::start_on(held, database, settings, clock, replace_ports, stop).await,
            Err(error) => Err((error, database)),
        }
    }

    /// The same, on ports that were taken before the database was opened.
    async fn start_on(
        held: HeldPorts,
        database: Database,
        settings: Settings,
        clock: Arc<dyn Clock>,
        replace_ports: impl FnOnce(TreePorts) -> TreePorts,
        stop: impl Future<Output = ()>,
    ) -> Result<Self, (StartError, Database)> {
        let sockets = AllSockets::new(&settings.connections);
        let quotas = Quotas::default();
        let sources = match parts::sources(&database, &settings, &clock) {
            Ok(sources) => sources,
            Err(cause) => return Err((StartError::Threads(cause), database)),
        };
        let ports = parts::ports(&database, &settings, &clock, &sockets, &sources);
        let ports = replace_ports(ports);
        let loading = async {
            hourly::rebuild_derived_rows(database.service(), settings.zone).await;
            hourly::end_cut_runs(database.service(), clock.now()).await;
            parts::say_unopened(database.service(), &settings.keys).await;
            let tree = ActorTree::start(ports, settings.limits.clone(), |_, connections| {
                let clients = Clients::agents(database.readers(), &quotas);
                let homes = &sources.homes;
                parts::tool_service(clients, &database, connections, &settings, &clock, homes)
            })
            .await;
            let bridge = parts::bridge(&database, &tree, &settings, &clock)?;
            bridge.load().await;
            Ok((tree, bridge))
        };
        let loaded = tokio::select! {
            loaded = loading => loaded.map_err(StartError::Randomness),
            () = stop => Err(StartError::Asked),
        };
        let (tree, bridge) = match loaded {
            Ok(loaded) => loaded,
            Err(error) => return Err((error, database)),
        };
        let exports = ExportSlots::new(settings.exports);
        let events = EventStreams::new();
        let pushes = parts::pushes(&database, &tree, &settings, &clock);
        let limits = settings.pushes.clone();
        let uploads = Uploads::open(settings.uploads.clone(), pushes.clone(), limits);
        let parts = ServerParts {
            database: &database,
            tree: &tree,
            settings: &settings,
            clock: &clock,
            exports: &exports,
            events: &events,
            pushes: &pushes,
            uploads: &uploads,
            sockets: &sockets,
            quotas: &quotas,
            homes: &sources.homes,
            tokens: &sources.sign_ins,
            bridge: &bridge,
        };
        let opened = Servers::open(held, &parts);
        match opened {
            Ok(servers) => Ok(Self {
                console: servers.console.address,
                agents: servers.agents.address,
                roll: hourly::start(
                    database.service().clone(),
                    settings.zone,
                    (uploads.clone(), bridge.clone()),
                    clock,
                ),
                tree,
                database,
                servers,
                exports,
                events,
                uploads,
                _sync_threads: sources.threads,
            }),
            Err(error) => {
                tree.close_sessions().await;
                tree.drain().await;
                tree.close_journal().await;
                Err((error, database))
            }
        }
    }

    /// Resolves when the service can no longer do its work, with the reason: an actor gave up, or another process holds
    /// the database.
    pub async fn failed(&self) -> String {
        let standing = self.database.standing();
        tokio::select! {
            reason = self.tree.failed() => reason,
            holder = standing.taken() => format!("another process has taken the database: {holder}"),
        }
    }
}
