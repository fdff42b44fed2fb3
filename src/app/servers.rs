//! The servers of both ports, and what each is made of.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use actix_web::dev::Server;
use actix_web::web::ServiceConfig;
use futures_util::FutureExt as _;
use sextant_actors::clock::Clock;
use sextant_actors::sign_ins::SignInsHandle;
use sextant_actors::tree::ActorTree;

use super::parts::tool_service;
use super::port::{HeldPorts, RunningServer};
use super::{Settings, StartError};
use crate::bridge::Bridge;
use crate::calls::Clients;
use crate::capacity::{Quotas, Slots};
use crate::db::Database;
use crate::doctor::Doctor;
use crate::export::ExportSlots;
use crate::http::arrival;
use crate::http::bridge::{self, TrustedProxies};
use crate::http::console::EventStreams;
use crate::http::ingest::{self, IngestParts};
use crate::http::manual::Manual;
use crate::http::mcp::server::{self as agent_port, DirectCalls, McpParts};
use crate::http::mcp::tools;
use crate::http::read_mirror::{self, MirrorParts};
use crate::http::wire::AllSockets;
use crate::http::{console, server as console_port};
use crate::pushes::PushStore;
use crate::sign_ins::{Attempts, SignIns};
use crate::sync::LiveHomes;
use crate::uploads::Uploads;

/// What the two servers need of the rest of the service.
pub(super) struct ServerParts<'a> {
    pub database: &'a Database,
    pub tree: &'a ActorTree,
    pub settings: &'a Settings,
    pub clock: &'a Arc<dyn Clock>,
    pub exports: &'a ExportSlots,
    pub events: &'a EventStreams,
    pub pushes: &'a PushStore,
    pub uploads: &'a Uploads,
    pub sockets: &'a AllSockets,
    pub quotas: &'a Quotas,
    pub homes: &'a LiveHomes,
    pub tokens: &'a SignInsHandle,
    pub bridge: &'a Bridge,
}

/// The Console port and the agent port.
pub(super) struct Servers {
    pub console: RunningServer,
    pub agents: RunningServer,
}

impl Servers {
    /// Has both ports listen and starts their servers, unless an actor that they need has given up already.
    ///
    /// # Errors
    /// Which port cannot be opened, or which actor gave up.
    pub(super) fn open(held: HeldPorts, parts: &ServerParts<'_>) -> Result<Self, StartError> {
        if let Some(reason) = parts.tree.failed().now_or_never() {
            return Err(StartError::Failed(reason));
        }
        let console = held.console.listen()?;
        let agents = held.agents.listen()?;
        let doctor = Doctor::new(
            parts.settings.doctor.clone(),
            parts.bridge.exposure().clone(),
            parts.tree.grants.clone(),
            Arc::clone(parts.clock),
        );
        let arrivals = arrival::configure(doctor.arrivals(), parts.bridge.exposure());
        let routes = routes(parts, doctor, console.address, agents.address);
        let console = console.build(|listener| serve_console(listener, parts, routes))?;
        let proxies = TrustedProxies::new(&parts.settings.trusted_proxies);
        let sign_in = bridge::configure(parts.bridge.clone(), proxies);
        let beside = move |service: &mut ServiceConfig| {
            sign_in(service);
            arrivals(service);
        };
        let agents = agents.build(|listener| agent_port::start(listener, mcp(parts), beside))?;
        Ok(Self {
            console: console.run(),
            agents: agents.run(),
        })
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
        sockets: parts.sockets.console.clone(),
    };
    let ingest = IngestParts::new(parts.pushes.clone(), parts.settings.pushes.clone());
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

fn routes(
    parts: &ServerParts<'_>,
    doctor: Doctor,
    console: SocketAddr,
    agents: SocketAddr,
) -> console::Parts {
    let ServerParts {
        database,
        tree,
        settings,
        clock,
        exports,
        events,
        pushes: _,
        uploads,
        sockets: _,
        quotas: _,
        homes,
        tokens,
        bridge,
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
            homes,
        ),
        board: tree.board.clone(),
        sign_ins: SignIns {
            providers: settings.providers.clone(),
            keys: settings.keys.clone(),
            pool: database.service().clone(),
            clock: Arc::clone(clock),
            tokens: tokens.clone(),
            attempts: Attempts::default(),
            console_port: console.port(),
        },
        bridge: bridge.clone(),
        doctor,
        allowed_hosts: settings.allowed_hosts.clone(),
        trusts_proxies: !settings.trusted_proxies.is_empty(),
        sample_slot: Slots::new(1),
        csv_slots: Slots::new(console::CSV_AT_ONCE_MAX),
        reads: settings.reads,
        status_cache: console::StatusCache::new(settings.reads.count_wait_max),
        ports: console::PortNumbers {
            console: console.port(),
            agent: agents.port(),
        },
        started_at: clock.now(),
        imports: console::Imports::new(settings.imports.clone()),
        exports: exports.clone(),
        events: events.clone(),
        uploads: uploads.clone(),
        spools: settings.pushes.spools.clone(),
        clock: Arc::clone(clock),
        zone: settings.zone,
        zone_source: settings.zone_source,
        agent_url: url_on_this_computer(agents),
        manual: Manual::of(&console_port::endpoints()),
    }
}

fn mcp(parts: &ServerParts<'_>) -> McpParts {
    let tree = parts.tree;
    McpParts {
        sockets: parts.sockets.agents.clone(),
        quotas: parts.quotas.clone(),
        grants: tree.grants.clone(),
        sessions: tree.sessions.clone(),
        audit: tree.audit.clone(),
        tools: tools::all(),
        direct_calls: DirectCalls::enabled(),
        exposure: parts.bridge.exposure().clone(),
    }
}

/// Where clients on this computer find the agent port; one that listens everywhere listens here too.
fn url_on_this_computer(mut agents: SocketAddr) -> String {
    if agents.ip().is_unspecified() {
        agents.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    format!("http://{agents}/mcp")
}
