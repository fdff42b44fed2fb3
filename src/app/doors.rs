//! Both ports: taken before a database is opened, so that a busy one costs nothing, and served when all else stands.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use actix_web::dev::{Server, ServerHandle};
use actix_web::web::ServiceConfig;
use futures_util::FutureExt as _;
use sextant_actors::clock::Clock;
use sextant_actors::tree::ActorTree;
use tokio::net::TcpSocket;
use tokio::task::JoinHandle;

use super::ground::tool_service;
use super::{Settings, StartError};
use crate::calls::Clients;
use crate::capacity::{Quotas, Slots};
use crate::db::Database;
use crate::export::ExportSlots;
use crate::http::ingest::{self, IngestParts};
use crate::http::manual::Manual;
use crate::http::mcp::server::{self as agent_port, McpParts};
use crate::http::mcp::tools;
use crate::http::read_mirror::{self, MirrorParts};
use crate::http::wire::AllLines;
use crate::http::{console, server as console_port};

/// Connections that may wait to be accepted; the kernel has a bound of its own below it.
const BACKLOG: u32 = 4096;

/// What stands behind the ports.
pub struct Behind<'a> {
    pub database: &'a Database,
    pub tree: &'a ActorTree,
    pub settings: &'a Settings,
    pub clock: &'a Arc<dyn Clock>,
    pub exports: &'a ExportSlots,
    pub lines: &'a AllLines,
    pub quotas: &'a Quotas,
}

/// A port that is served.
pub struct Door {
    pub address: SocketAddr,
    pub handle: ServerHandle,
    /// Drives the server.
    pub task: JoinHandle<io::Result<()>>,
}

/// The Console port and the agent port.
pub struct Doors {
    pub console: Door,
    pub agents: Door,
}

impl Doors {
    /// Opens both, unless an actor they need has given up already.
    ///
    /// # Errors
    /// Which port cannot be had, or which actor gave up.
    pub fn open(held: HeldPorts, behind: &Behind<'_>) -> Result<Self, StartError> {
        if let Some(reason) = behind.tree.failed().now_or_never() {
            return Err(StartError::Failed(reason));
        }
        let console = held.console.listen()?;
        let agents = held.agents.listen()?;
        let routes = routes(behind, console.address, agents.address);
        let console = console.served(|listener| serve_console(listener, behind, routes))?;
        let agents = agents.served(|listener| agent_port::start(listener, mcp(behind)))?;
        Ok(Self {
            console: console.driven(),
            agents: agents.driven(),
        })
    }
}

/// Both ports, taken and not yet listening: until the service stands, whoever calls is refused at once.
pub struct HeldPorts {
    console: HeldPort,
    agents: HeldPort,
}

impl HeldPorts {
    /// # Errors
    /// Which port cannot be had.
    pub fn take(settings: &Settings) -> Result<Self, StartError> {
        Ok(Self {
            console: HeldPort::take(settings.bind, settings.console_port, "REST_PORT")?,
            agents: HeldPort::take(settings.bind, settings.agent_port, "MCP_PORT")?,
        })
    }
}

struct HeldPort {
    socket: TcpSocket,
    address: SocketAddr,
    setting: &'static str,
}

impl HeldPort {
    fn take(address: IpAddr, port: u16, setting: &'static str) -> Result<Self, StartError> {
        let address = SocketAddr::new(address, port);
        let socket = bound(address).map_err(|cause| StartError::Port {
            address,
            setting,
            cause,
        })?;
        let address = socket.local_addr().map_err(StartError::Server)?;
        Ok(Self {
            socket,
            address,
            setting,
        })
    }

    /// Of two programs that took one port, the second to listen is told here.
    fn listen(self) -> Result<Bound, StartError> {
        let (address, setting) = (self.address, self.setting);
        let listener = self.socket.listen(BACKLOG);
        let listener = listener.and_then(tokio::net::TcpListener::into_std);
        let listener = listener.map_err(|cause| StartError::Port {
            address,
            setting,
            cause,
        })?;
        Ok(Bound { listener, address })
    }
}

/// As the standard library binds: a port in `TIME_WAIT` is free.
fn bound(address: SocketAddr) -> io::Result<TcpSocket> {
    let make = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4,
        SocketAddr::V6(_) => TcpSocket::new_v6,
    };
    let socket = make()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// A port that listens.
struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

impl Bound {
    fn served(
        self,
        serve: impl FnOnce(TcpListener) -> io::Result<Server>,
    ) -> Result<Served, StartError> {
        let server = serve(self.listener).map_err(StartError::Server)?;
        Ok(Served {
            server,
            address: self.address,
        })
    }
}

/// Its server, which nobody drives yet.
struct Served {
    server: Server,
    address: SocketAddr,
}

impl Served {
    fn driven(self) -> Door {
        Door {
            address: self.address,
            handle: self.server.handle(),
            task: actix_web::rt::spawn(self.server),
        }
    }
}

fn serve_console(
    listener: TcpListener,
    behind: &Behind<'_>,
    routes: console::Parts,
) -> io::Result<Server> {
    let parts = console_port::ConsoleParts {
        routes,
        allowed_hosts: behind.settings.allowed_hosts.clone(),
        lines: behind.lines.console.clone(),
    };
    let ingest = pushes(behind);
    let mirror = MirrorParts::new(
        behind.tree.grants.clone(),
        behind.tree.sessions.clone(),
        behind.quotas,
    );
    let (pushes, reads) = (ingest::configure(&ingest), read_mirror::configure(&mirror));
    let unguarded = console_port::Unguarded {
        routes: move |service: &mut ServiceConfig| {
            pushes(service);
            reads(service);
        },
        expect: ingest::expect(&ingest),
    };
    console_port::start(listener, parts, unguarded)
}

fn routes(behind: &Behind<'_>, console: SocketAddr, agents: SocketAddr) -> console::Parts {
    let Behind {
        database,
        tree,
        settings,
        clock,
        exports,
        lines: _,
        quotas: _,
    } = *behind;
    console::Parts {
        pool: database.service().clone(),
        readers: database.readers().clone(),
        grants: tree.grants.clone(),
        sessions: tree.sessions.clone(),
        connections: tree.connections.clone(),
        audit: tree.audit.clone(),
        tools: tool_service(
            Clients::Operator,
            database,
            &tree.connections,
            settings,
            clock,
        ),
        board: tree.board.clone(),
        sample_slot: Slots::new(1),
        csv_slots: Slots::new(console::CSV_AT_ONCE_MAX),
        reads: settings.reads,
        known: console::Known::new(settings.reads.count_wait_max),
        ports: console::Ports {
            console: console.port(),
            agent: agents.port(),
        },
        started_at: clock.now(),
        imports: console::Imports::new(settings.imports.clone()),
        exports: exports.clone(),
        clock: Arc::clone(clock),
        zone: settings.zone,
        zone_source: settings.zone_source,
        agent_url: url_on_this_computer(agents),
        manual: Manual::of(&console_port::endpoints()),
    }
}

fn pushes(behind: &Behind<'_>) -> IngestParts {
    IngestParts::new(
        behind.tree.connections.clone(),
        behind.tree.audit.clone(),
        behind.database.service().clone(),
        Arc::clone(behind.clock),
        (behind.settings.zone, behind.settings.pushes.clone()),
    )
}

fn mcp(behind: &Behind<'_>) -> McpParts {
    let tree = behind.tree;
    McpParts {
        lines: behind.lines.agents.clone(),
        quotas: behind.quotas.clone(),
        grants: tree.grants.clone(),
        sessions: tree.sessions.clone(),
        audit: tree.audit.clone(),
        tools: tools::all(),
    }
}

/// Where clients on this computer find the agent port; one that listens everywhere listens here too.
fn url_on_this_computer(mut agents: SocketAddr) -> String {
    if agents.ip().is_unspecified() {
        agents.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    format!("http://{agents}/mcp")
}
