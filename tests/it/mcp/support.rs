//! A running agent port, and the requests that a client sends to it.

pub mod client;
pub mod line;
pub mod slow;
mod stores;
mod stream;
mod tool_service;

use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use chrono::{DateTime, Utc};
use rmcp::model::Tool;
use sextant::capacity::Quotas;
use sextant::exposure::Exposure;
use sextant::http::mcp::server::{DirectCalls, LeasedSessions, McpParts, start_with};
use sextant::http::mcp::tools;
use sextant::http::wire::{self, AllSockets};
use sextant_actors::clock::FrozenClock;
use sextant_actors::domain::{AgentKey, AgentName};
use sextant_actors::limits::TreeLimits;
use sextant_actors::ports::{GrantChange, ToolCalls};
use sextant_actors::tree::{ActorTree, TreePorts};

pub use client::{Client, body_of, json_of, modern_meta};
pub use stores::{MemoryAudit, NoConnections};
pub use stream::Events;
pub use tool_service::TestToolService;

use crate::support::rounds::NoRounds;

use stores::MemoryGrants;

/// How long a condition may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// Awaits `fact`; the test fails instead of hanging if it never comes.
pub async fn soon<T>(what: &str, fact: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, fact)
        .await
        .unwrap_or_else(|_| panic!("waited in vain: {what}"))
}

/// The port, its actors, and stand-ins for the rest of the service.
pub struct Port {
    pub address: SocketAddr,
    pub url: String,
    pub tree: ActorTree,
    pub audit: Arc<MemoryAudit>,
    pub tool_service: Arc<TestToolService>,
    pub clock: FrozenClock,
    /// rmcp's half of the sessions.
    pub transports: LeasedSessions,
    /// The calls that it served without rmcp.
    pub direct_calls: DirectCalls,
    tools: Vec<Tool>,
    sockets: AllSockets,
    server: ServerHandle,
}

/// A second server over the same actors, which passes every message to rmcp.
pub struct RmcpPort {
    pub address: SocketAddr,
    pub url: String,
    server: ServerHandle,
}

fn parts(
    tree: &ActorTree,
    sockets: &AllSockets,
    tools: Vec<Tool>,
    direct_calls: DirectCalls,
) -> McpParts {
    McpParts {
        grants: tree.grants.clone(),
        sessions: tree.sessions.clone(),
        audit: tree.audit.clone(),
        sockets: sockets.agents.clone(),
        quotas: Quotas::default(),
        tools,
        direct_calls,
        exposure: Exposure::default(),
    }
}

fn serve(parts: McpParts, transports: LeasedSessions) -> (SocketAddr, ServerHandle) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let running = start_with(listener, parts, transports).unwrap();
    let server = running.handle();
    actix_web::rt::spawn(running);
    (address, server)
}

impl RmcpPort {
    /// A server over these actors that offers `tools`.
    pub fn over(tree: &ActorTree, sockets: &AllSockets, tools: Vec<Tool>) -> Self {
        let parts = parts(tree, sockets, tools, DirectCalls::disabled());
        let (address, server) = serve(parts, LeasedSessions::new());
        Self {
            address,
            url: format!("http://{address}/mcp"),
            server,
        }
    }

    pub async fn stop(self) {
        self.server.stop(false).await;
    }
}

impl Port {
    pub async fn start() -> Self {
        Self::start_with(TreeLimits::default()).await
    }

    pub async fn start_with(limits: TreeLimits) -> Self {
        Self::start_offering(tools::all(), limits, |tool_service| tool_service).await
    }

    /// A port that lists `tools`, in front of the tool service that `around` makes of the usual one.
    pub async fn start_offering(
        tools: Vec<Tool>,
        limits: TreeLimits,
        around: impl FnOnce(Arc<TestToolService>) -> Arc<dyn ToolCalls>,
    ) -> Self {
        let limits = TreeLimits {
            audit_flush_interval: Duration::from_millis(5),
            ..limits
        };
        let (audit, tool_service) = (
            Arc::new(MemoryAudit::default()),
            Arc::new(TestToolService::default()),
        );
        let clock = FrozenClock::at(noon());
        let sockets = AllSockets::new(&wire::ConnectionLimits::default());
        let ports = TreePorts {
            audit: audit.clone(),
            grants: Arc::new(MemoryGrants::default()),
            connections: Arc::new(NoConnections),
            outlets: Arc::new(sockets.clone()),
            journal: None,
            rounds: Arc::new(NoRounds),
            sign_ins: None,
            draw: Arc::new(|| 0),
            clock: Arc::new(clock.clone()),
        };
        let served = around(tool_service.clone());
        let tree = ActorTree::start(ports, limits, move |_, _| served).await;
        let direct_calls = DirectCalls::enabled();
        let parts = parts(&tree, &sockets, tools.clone(), direct_calls.clone());
        let transports = LeasedSessions::new();
        let (address, server) = serve(parts, transports.clone());
        Self {
            address,
            url: format!("http://{address}/mcp"),
            tree,
            audit,
            tool_service,
            clock,
            transports,
            direct_calls,
            tools,
            sockets,
            server,
        }
    }

    /// A second server over the same actors, which passes every message to rmcp.
    pub fn passing_to_rmcp(&self) -> RmcpPort {
        RmcpPort::over(&self.tree, &self.sockets, self.tools.clone())
    }

    /// A client with a key of its own.
    pub async fn agent(&self, name: &str, sectors: &[&str]) -> Client {
        let key = AgentKey::mint().unwrap();
        let change = GrantChange::Create {
            key: key.digest(),
            sectors: sectors.iter().map(|sector| (*sector).to_owned()).collect(),
            expires_at: None,
        };
        self.edit(name, change).await;
        Client::new(&self.url, Some(key.reveal()))
    }

    /// A client without a key.
    pub fn stranger(&self) -> Client {
        Client::new(&self.url, None)
    }

    /// Edits a grant as the Console does; returns how many sessions that ended.
    pub async fn edit(&self, name: &str, change: GrantChange) -> usize {
        let edited = self.tree.grants.edit(agent_name(name), change).await;
        edited.unwrap().sessions_ended
    }

    /// Sets the sectors of an agent; returns how many sessions that ended.
    pub async fn amend(&self, name: &str, sectors: &[&str]) -> usize {
        let sectors = sectors.iter().map(|sector| (*sector).to_owned()).collect();
        let change = GrantChange::Amend {
            sectors: Some(sectors),
            expires_at: None,
        };
        self.edit(name, change).await
    }

    /// The number of an agent's live sessions.
    pub async fn sessions(&self, name: &str) -> usize {
        self.tree.sessions.list(Some(agent_name(name))).await.len()
    }

    pub async fn stop(self) {
        self.tree.close_sessions().await;
        self.server.stop(false).await;
    }
}

fn agent_name(name: &str) -> AgentName {
    name.parse().unwrap()
}

fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap()
}
