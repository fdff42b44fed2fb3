//! The HTTP server of the agent port: its limits, its one route, and what it is built from.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{App, HttpServer};
use rmcp::model::Tool;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sextant_actors::grants::GrantsHandle;
use sextant_actors::record::AuditHandle;
use sextant_actors::sessions::SessionsHandle;

use super::adapter::{AgentPort, serve, unknown_method, unknown_path};
use super::connections;
use super::door;
use super::limits::{
    AGENTS_TO_FILL, BODY_BYTES_MAX, CONNECTION_IDLE_MAX, HEAD_WAIT, STOP_WAIT_S, STREAM_KEEP_ALIVE,
};
use super::restore::Handshakes;
use super::service::AgentService;
use super::shares::{Seat, Shares};

pub use super::sessions::LeasedSessions;

/// What the agent port is given.
#[derive(Clone)]
pub struct McpParts {
    pub grants: GrantsHandle,
    pub sessions: SessionsHandle,
    pub audit: AuditHandle,
    /// What `tools/list` says; what a call of them does is the sessions' desk's.
    pub tools: Vec<Tool>,
}

/// Starts the agent port on a listener that is bound already. Signals are the caller's: sessions must end before the server
/// stops, since an open stream holds it.
///
/// # Errors
/// When the listener cannot be served.
pub fn start(listener: TcpListener, parts: McpParts) -> io::Result<Server> {
    start_with(listener, parts, LeasedSessions::new())
}

/// The same, with the sessions' transports left in sight.
///
/// # Errors
/// As [`start`].
pub fn start_with(
    listener: TcpListener,
    parts: McpParts,
    transports: LeasedSessions,
) -> io::Result<Server> {
    connections::close_stalled(&listener)?;
    let workers = connections::workers();
    let per_worker_max = connections::per_worker_max(workers);
    let shares = Shares::new(per_worker_max * workers / AGENTS_TO_FILL);
    let routes = routes(agent_port(parts, transports, shares));
    let app = move || {
        App::new()
            .wrap(from_fn(door::guard))
            .configure(routes.clone())
    };
    let server = HttpServer::new(app)
        .workers(workers)
        .max_connections(per_worker_max)
        .on_connect(|_, connection| {
            connection.insert(Seat::default());
        })
        .client_request_timeout(HEAD_WAIT)
        .keep_alive(CONNECTION_IDLE_MAX)
        .shutdown_timeout(STOP_WAIT_S)
        .disable_signals()
        // Without it each streamed answer waits 44 ms for Nagle's algorithm.
        .tcp_nodelay(true)
        // A client that leaves cancels its call (2026-07-28): its end of the connection is watched while a call runs.
        .h1_allow_half_closed(false)
        .listen(listener)?
        .run();
    Ok(server)
}

/// The routes without the server and its door, for a caller with connections of its own.
pub fn configure(parts: McpParts) -> impl Fn(&mut ServiceConfig) + Clone + Send {
    let shares = Shares::new(AGENTS_TO_FILL);
    routes(agent_port(parts, LeasedSessions::new(), shares))
}

fn routes(port: AgentPort) -> impl Fn(&mut ServiceConfig) + Clone + Send {
    let port = Data::new(port);
    move |service| {
        let mcp = web::resource("/mcp")
            .route(web::post().to(serve))
            .route(web::get().to(serve))
            .route(web::delete().to(serve))
            .default_service(web::to(unknown_method));
        service
            .app_data(port.clone())
            .service(mcp)
            .default_service(web::to(unknown_path));
    }
}

fn agent_port(parts: McpParts, transports: LeasedSessions, shares: Shares) -> AgentPort {
    let service = AgentService::new(parts.tools);
    let rmcp = StreamableHttpService::new(
        move || Ok(service.clone()),
        Arc::new(transports.clone()),
        transport_config(),
    );
    AgentPort {
        grants: parts.grants,
        sessions: parts.sessions,
        audit: parts.audit,
        transports,
        shares,
        rmcp,
    }
}

/// `Origin` is left to `door`; `Host` is checked there, and by rmcp's default once more.
fn transport_config() -> StreamableHttpServerConfig {
    let mut config = StreamableHttpServerConfig::default();
    config.session_store = Some(Arc::new(Handshakes));
    config
        .with_json_response(true)
        .with_sse_keep_alive(Some(STREAM_KEEP_ALIVE))
        .with_max_request_body_bytes(BODY_BYTES_MAX)
}
