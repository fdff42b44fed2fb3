//! The composition root: everything is made here, in order, and stopped here, in order (architecture, Start and stop).
//!
//! ```text
//! start:  database -> record and its journal, sessions, grants, connections -> both ports -> ready
//! stop:   no new sessions, sessions end -> connections halt -> exports are cut -> both servers -> the record is drained, its journal
//!         closes -> the database
//! ```

mod open_files;
mod run;
mod settings;
mod stop;

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use actix_web::web::ServiceConfig;
use futures_util::FutureExt as _;
use sextant_actors::clock::Clock;
use sextant_actors::connections::ConnectionsHandle;
use sextant_actors::domain::OPERATOR;
use sextant_actors::journal::Disk;
use sextant_actors::ports::Desk;
use sextant_actors::tree::{Ports, Tree};
use tokio::task::JoinHandle;

use crate::calls;
use crate::db::Database;
use crate::derived;
use crate::export;
use crate::http::ingest::{self, IngestParts};
use crate::http::manual::Manual;
use crate::http::mcp::server::{self as agent_port, McpParts};
use crate::http::mcp::tools;
use crate::http::read_mirror::{self, MirrorParts};
use crate::http::{console, server as console_port};
use crate::ingest::roll;
use crate::store;
use crate::store::journal::JournalFolder;

pub use run::{RunError, run, run_while};
pub use settings::Settings;
pub use stop::Left;

/// How often the endless series are looked at; each is rolled once a day.
const ROLL_INTERVAL: std::time::Duration = std::time::Duration::from_secs(60 * 60);

/// The running service.
pub struct App {
    /// Where the Console port listens.
    pub console: SocketAddr,
    /// Where the agent port listens.
    pub agents: SocketAddr,
    /// The actors' handles.
    pub tree: Tree,
    database: Database,
    servers: [Serving; 2],
    exports: export::Turns,
    roll: JoinHandle<()>,
}

/// A server and the task that drives it.
struct Serving {
    handle: ServerHandle,
    task: JoinHandle<io::Result<()>>,
}

/// Why the service did not start.
#[derive(Debug)]
pub enum StartError {
    /// A port cannot be had.
    Port {
        address: SocketAddr,
        setting: &'static str,
        cause: io::Error,
    },
    /// A server did not come up on a port that was had.
    Server(io::Error),
    /// An actor gave up while it loaded.
    Failed(String),
    /// A stop was asked for meanwhile.
    Asked,
}

impl fmt::Display for StartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Port {
                address,
                setting,
                cause,
            } => write!(
                formatter,
                "the port {address} cannot be opened ({cause}); stop the program that holds it, or choose another with {setting}"
            ),
            StartError::Server(cause) => write!(formatter, "a server did not start: {cause}"),
            StartError::Failed(reason) => formatter.write_str(reason),
            StartError::Asked => formatter.write_str("a stop was asked for"),
        }
    }
}

impl std::error::Error for StartError {}

impl App {
    /// Starts everything on an open database. On an error the actors end with the process; the database is handed back.
    ///
    /// # Errors
    /// Which port cannot be had, or which actor gave up.
    pub async fn start(
        database: Database,
        settings: Settings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, (StartError, Database)> {
        let world = |ports| ports;
        Self::start_with(database, settings, clock, world, std::future::pending()).await
    }

    /// The same, with the actors' ports as `world` makes them of the real ones, unless a stop is `asked` for first: an actor may
    /// wait for its database for ever.
    ///
    /// # Errors
    /// As above, or that the stop was asked for.
    pub async fn start_with(
        database: Database,
        settings: Settings,
        clock: Arc<dyn Clock>,
        world: impl FnOnce(Ports) -> Ports,
        asked: impl Future<Output = ()>,
    ) -> Result<Self, (StartError, Database)> {
        let ports = world(ports(&database, &settings, &clock));
        let loading = async {
            rebuild_derived(database.service(), settings.zone).await;
            tree(ports, &database, &settings, &clock).await
        };
        let loaded = tokio::select! {
            tree = loading => Some(tree),
            () = asked => None,
        };
        let Some(tree) = loaded else {
            return Err((StartError::Asked, database));
        };
        let exports = export::Turns::new(settings.exports);
        match open(&database, &tree, &settings, &clock, &exports) {
            Ok([(console, console_server), (agents, agent_server)]) => {
                let roll = actix_web::rt::spawn(roll_hourly(
                    database.service().clone(),
                    settings.zone,
                    clock,
                ));
                Ok(Self {
                    console,
                    agents,
                    tree,
                    database,
                    servers: [console_server, agent_server],
                    exports,
                    roll,
                })
            }
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

/// The actors' ports onto the database.
fn ports(database: &Database, settings: &Settings, clock: &Arc<dyn Clock>) -> Ports {
    let pool = database.service();
    Ports {
        audit: Arc::new(store::audit::Record::new(pool.clone())),
        grants: Arc::new(store::agents::Grants::new(pool.clone())),
        connections: Arc::new(store::connections::Connections::new(pool.clone())),
        journal: settings.journal.clone().and_then(journal),
        clock: Arc::clone(clock),
    }
}

/// The journal's folder, if it can be had: without it the service serves, and every row is counted as unjournaled.
fn journal(path: PathBuf) -> Option<Arc<dyn Disk>> {
    match JournalFolder::open(path.clone()) {
        Ok(folder) => Some(Arc::new(folder)),
        Err(error) => {
            log::error!("there is no journal in {}: {error}", path.display());
            None
        }
    }
}

async fn tree(
    ports: Ports,
    database: &Database,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> Tree {
    Tree::start(ports, settings.limits.clone(), |_, connections| {
        desk(database, connections, settings, clock)
    })
    .await
}

/// The one path to data, for the agents' sessions and for the operator's own reads.
fn desk(
    database: &Database,
    connections: &ConnectionsHandle,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
) -> Arc<dyn Desk> {
    Arc::new(calls::Desk::new(calls::Parts {
        readers: database.readers().clone(),
        connections: connections.clone(),
        clock: Arc::clone(clock),
        zone: settings.zone,
    }))
}

/// Opens both ports, unless an actor they need has given up already.
fn open(
    database: &Database,
    tree: &Tree,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    exports: &export::Turns,
) -> Result<[(SocketAddr, Serving); 2], StartError> {
    match tree.failed().now_or_never() {
        Some(reason) => Err(StartError::Failed(reason)),
        None => serve(database, tree, settings, clock, exports),
    }
}

fn serve(
    database: &Database,
    tree: &Tree,
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    exports: &export::Turns,
) -> Result<[(SocketAddr, Serving); 2], StartError> {
    let console = bind(settings.bind, settings.console_port, "REST_PORT")?;
    let agents = bind(settings.bind, settings.agent_port, "MCP_PORT")?;
    let ingest = IngestParts::new(
        tree.connections.clone(),
        tree.audit.clone(),
        database.service().clone(),
        Arc::clone(clock),
        (settings.zone, settings.pushes.clone()),
    );
    let ports = console::Ports {
        console: console.local_addr().map_err(StartError::Server)?.port(),
        agent: agents.local_addr().map_err(StartError::Server)?.port(),
    };
    let agent_url = url_on_this_computer(agents.local_addr().map_err(StartError::Server)?);
    let routes = console::Parts {
        pool: database.service().clone(),
        readers: database.readers().clone(),
        grants: tree.grants.clone(),
        sessions: tree.sessions.clone(),
        connections: tree.connections.clone(),
        audit: tree.audit.clone(),
        desk: desk(database, &tree.connections, settings, clock),
        board: tree.board.clone(),
        sample_turns: console::SampleTurns::default(),
        csv_turns: console::CsvTurns::default(),
        reads: settings.reads,
        known: console::Known::new(settings.reads.count_wait_max),
        ports,
        started_at: clock.now(),
        imports: console::Imports::new(settings.imports.clone()),
        exports: exports.clone(),
        clock: Arc::clone(clock),
        zone: settings.zone,
        agent_url,
        manual: Manual::of(&console_port::endpoints()),
    };
    let parts = console_port::ConsoleParts {
        routes,
        allowed_hosts: settings.allowed_hosts.clone(),
    };
    let mcp = McpParts {
        grants: tree.grants.clone(),
        sessions: tree.sessions.clone(),
        audit: tree.audit.clone(),
        tools: tools::all(),
    };
    let mirror = MirrorParts::new(tree.grants.clone(), tree.sessions.clone());
    let (pushes, reads) = (ingest::configure(&ingest), read_mirror::configure(&mirror));
    let unguarded = console_port::Unguarded {
        routes: move |service: &mut ServiceConfig| {
            pushes(service);
            reads(service);
        },
        expect: ingest::expect(&ingest),
    };
    let addresses = [&console, &agents].map(TcpListener::local_addr);
    let servers = [
        console_port::start(console, parts, unguarded),
        agent_port::start(agents, mcp),
    ];
    let [console_address, agent_address] = addresses;
    let [console_server, agent_server] = servers;
    Ok([
        (
            console_address.map_err(StartError::Server)?,
            driven(console_server.map_err(StartError::Server)?),
        ),
        (
            agent_address.map_err(StartError::Server)?,
            driven(agent_server.map_err(StartError::Server)?),
        ),
    ])
}

/// Where clients on this computer find the agent port; one that listens everywhere listens here too.
fn url_on_this_computer(mut agents: SocketAddr) -> String {
    if agents.ip().is_unspecified() {
        agents.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    format!("http://{agents}/mcp")
}

fn bind(address: IpAddr, port: u16, setting: &'static str) -> Result<TcpListener, StartError> {
    let address = SocketAddr::new(address, port);
    TcpListener::bind(address).map_err(|cause| StartError::Port {
        address,
        setting,
        cause,
    })
}

fn driven(server: actix_web::dev::Server) -> Serving {
    Serving {
        handle: server.handle(),
        task: actix_web::rt::spawn(server),
    }
}

/// Before the ports open, so that nobody asks about days of another zone; what failed then is done within the hour.
async fn rebuild_derived(pool: &crate::db::ServicePool, zone: chrono_tz::Tz) {
    match derived::rebuild(pool, OPERATOR, zone).await {
        Ok(sectors) => sectors
            .iter()
            .for_each(|sector| log::info!("made the derived rows of {sector} in the zone {zone}")),
        Err(cause) => log::warn!("the derived rows were not made, again in an hour: {cause}"),
    }
}

async fn roll_hourly(pool: crate::db::ServicePool, zone: chrono_tz::Tz, clock: Arc<dyn Clock>) {
    let mut interval = tokio::time::interval(ROLL_INTERVAL);
    loop {
        interval.tick().await;
        rebuild_derived(&pool, zone).await;
        match roll(&pool, OPERATOR, zone, clock.now()).await {
            Ok(0) => {}
            Ok(series) => log::info!("rolled the occurrences of {series} endless series"),
            Err(cause) => log::warn!("the occurrences were not rolled, again in an hour: {cause}"),
        }
    }
}
