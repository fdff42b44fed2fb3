//! The servers of both ports. The ports are bound before a database is opened, so that a port in use fails at once, and listen when
//! everything else has started.

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

use super::parts::tool_service;
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

/// What the two servers are made of.
pub(super) struct ServerParts<'a> {
    pub database: &'a Database,
    pub tree: &'a ActorTree,
    pub settings: &'a Settings,
    pub clock: &'a Arc<dyn Clock>,
    pub exports: &'a ExportSlots,
    pub lines: &'a AllLines,
    pub quotas: &'a Quotas,
}

/// A server that accepts connections.
pub(super) struct RunningServer {
    pub address: SocketAddr,
    pub handle: ServerHandle,
    /// Drives the server.
    pub task: JoinHandle<io::Result<()>>,
}

/// The Console port and the agent port.
pub(super) struct Servers {
    pub console: RunningServer,
    pub agents: RunningServer,
}

impl Servers {
    /// Starts both, unless an actor they need has given up already.
    ///
    /// # Errors
    /// Which port cannot be had, or which actor gave up.
    pub(super) fn open(held: HeldPorts, parts: &ServerParts<'_>) -> Result<Self, StartError> {
        if let Some(reason) = parts.tree.failed().now_or_never() {
            return Err(StartError::Failed(reason));
        }
        let console = held.console.listen()?;
        let agents = held.agents.listen()?;
        let routes = routes(parts, console.address, agents.address);
        let console = console.build(|listener| serve_console(listener, parts, routes))?;
        let agents = agents.build(|listener| agent_port::start(listener, mcp(parts)))?;
        Ok(Self {
            console: console.run(),
            agents: agents.run(),
        })
    }
}

/// Both ports, bound and not yet listening: until the service has started, connections are refused at once.
pub(super) struct HeldPorts {
    console: HeldPort,
    agents: HeldPort,
}

impl HeldPorts {
    /// # Errors
    /// Which port cannot be had.
    pub(super) fn take(settings: &Settings) -> Result<Self, StartError> {
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
        let socket = bind(address).map_err(|cause| StartError::Port {
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

    /// Two programs can bind one port with `SO_REUSEADDR`; the second to listen fails here.
    fn listen(self) -> Result<ListeningPort, StartError> {
        let (address, setting) = (self.address, self.setting);
        let listener = self.socket.listen(BACKLOG);
        let listener = listener.and_then(tokio::net::TcpListener::into_std);
        let listener = listener.map_err(|cause| StartError::Port {
            address,
            setting,
            cause,
        })?;
        Ok(ListeningPort { listener, address })
    }
}

/// As the standard library binds: a port in `TIME_WAIT` is free.
fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
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
struct ListeningPort {
    listener: TcpListener,
    address: SocketAddr,
}

impl ListeningPort {
    fn build(
        self,
        serve: impl FnOnce(TcpListener) -> io::Result<Server>,
    ) -> Result<BuiltServer, StartError> {
        let server = serve(self.listener).map_err(StartError::Server)?;
        Ok(BuiltServer {
            server,
            address: self.address,
        })
    }
}

/// A server that is not polled yet.
struct BuiltServer {
    server: Server,
    address: SocketAddr,
}

impl BuiltServer {
    fn run(self) -> RunningServer {
        RunningServer {
            address: self.address,
            handle: self.server.handle(),
            task: actix_web::rt::spawn(self.server),
        }
    }
}

fn serve_console(
    listener: TcpListener,
    parts: &ServerParts<'_>,
    routes: console::Parts,
) -> io::Result<Server> {
    let console_parts = console_port::ConsoleParts {
        routes,
        allowed_hosts: parts.settings.allowed_hosts.clone(),
        lines: parts.lines.console.clone(),
    };
    let ingest = pushes(parts);
    let mirror = MirrorParts::new(
        parts.tree.grants.clone(),
        parts.tree.sessions.clone(),
        parts.quotas,
    );
    let (pushes, reads) = (ingest::configure(&ingest), read_mirror::configure(&mirror));
    let unguarded = console_port::Unguarded {
        routes: move |service: &mut ServiceConfig| {
            pushes(service);
            reads(service);
        },
        expect: ingest::expect(&ingest),
    };
    console_port::start(listener, console_parts, unguarded)
}

fn routes(parts: &ServerParts<'_>, console: SocketAddr, agents: SocketAddr) -> console::Parts {
    let ServerParts {
        database,
        tree,
        settings,
        clock,
        exports,
        lines: _,
        quotas: _,
    } = *parts;
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

fn pushes(parts: &ServerParts<'_>) -> IngestParts {
    IngestParts::new(
        parts.tree.connections.clone(),
        parts.tree.audit.clone(),
        parts.database.service().clone(),
        Arc::clone(parts.clock),
        (parts.settings.zone, parts.settings.pushes.clone()),
    )
}

fn mcp(parts: &ServerParts<'_>) -> McpParts {
    let tree = parts.tree;
    McpParts {
        lines: parts.lines.agents.clone(),
        quotas: parts.quotas.clone(),
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
