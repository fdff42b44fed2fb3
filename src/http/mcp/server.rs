//! The HTTP server of the agent port: its limits, its route and those that lie beside it, and what it is built from.

use std::io;
use std::net::TcpListener;
use std::num::NonZero;
use std::sync::Arc;

use actix_http::HttpService;
use actix_server::Server;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, map_config};
use actix_web::App;
use actix_web::dev::AppConfig;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, ServiceConfig};
use rmcp::model::Tool;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sextant_actors::audit::AuditHandle;
use sextant_actors::grants::GrantsHandle;
use sextant_actors::sessions::SessionsHandle;

use super::connection_owner::ConnectionOwner;
use super::direct::DirectMessages;
use super::handler::{serve, unknown_method, unknown_path};
use super::head_check;
use super::limits::{
    AGENTS_TO_FILL, BODY_BYTES_MAX, BODY_BYTES_PER_AGENT_MAX, CONNECTION_IDLE_MAX, DISCONNECT_WAIT,
    HEAD_WAIT, STOP_WAIT_S, STREAM_KEEP_ALIVE, WORKERS_MAX, WORKERS_MIN,
};
use super::port::AgentPort;
use super::restore::Handshakes;
use super::service::AgentService;
use crate::capacity::{Quotas, Resource};
use crate::exposure::Exposure;
use crate::http::admission::Admission;
use crate::http::wire::{PortSockets, SocketStream, accept};

pub use super::direct::DirectCalls;
pub use super::transports::LeasedSessions;

/// What the agent port is given.
#[derive(Clone)]
pub struct McpParts {
    /// What keys are resolved against.
    pub grants: GrantsHandle,
    /// Opens and finds sessions.
    pub sessions: SessionsHandle,
    /// Takes the rows of calls that reach no session.
    pub audit: AuditHandle,
    /// The port's connections.
    pub sockets: PortSockets,
    /// What each agent holds, here and elsewhere.
    pub quotas: Quotas,
    /// What `tools/list` says; what a call of them does is for the sessions' tool service to say.
    pub tools: Vec<Tool>,
    /// Whether calls are served without rmcp where that is possible.
    pub direct_calls: DirectCalls,
    /// By which name others may reach the port.
    pub exposure: Exposure,
}

/// Starts the agent port on a listener that is bound already, with the routes that lie `beside` it. Signals are the caller's: sessions must end before the server
/// stops, since an open stream holds it.
///
/// # Errors
/// When the listener cannot be served.
pub(crate) fn start(
    listener: TcpListener,
    parts: McpParts,
    beside: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
) -> io::Result<Server> {
    serve_on(listener, parts, LeasedSessions::new(), beside)
}

/// The same without other routes, and with the sessions' transports left in sight.
///
/// # Errors
/// When the listener cannot be served.
pub fn start_with(
    listener: TcpListener,
    parts: McpParts,
    transports: LeasedSessions,
) -> io::Result<Server> {
    serve_on(listener, parts, transports, |_| {})
}

fn serve_on(
    listener: TcpListener,
    parts: McpParts,
    transports: LeasedSessions,
    beside: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
) -> io::Result<Server> {
    let address = listener.local_addr()?;
    parts.sockets.set_options(&listener)?;
    let sockets = parts.sockets.clone();
    let per_worker_max = sockets.per_worker_max(workers());
    let connections_max = per_worker_max * workers() / AGENTS_TO_FILL;
    let exposure = Data::new(parts.exposure.clone());
    let routes = routes(agent_port(parts, transports, connections_max));
    let builder = Server::build();
    let ending = builder.graceful_shutdown_signal();
    let service = move || {
        let app = App::new()
            .app_data(exposure.clone())
            .wrap(from_fn(head_check::guard))
            .configure(beside.clone())
            .configure(routes.clone());
        let app = app.into_factory().map_err(|error| error.error_response());
        let ending = ending.clone();
        let http = HttpService::build()
            .client_request_timeout(HEAD_WAIT)
            .client_disconnect_timeout(DISCONNECT_WAIT)
            .keep_alive(CONNECTION_IDLE_MAX)
            // A client that leaves cancels its call (2026-07-28): its end of the connection is watched while a call runs.
            .h1_allow_half_closed(false)
            .on_connect_ext(|stream: &SocketStream, data| {
                data.insert(stream.socket());
                data.insert(ConnectionOwner::default());
            })
            .local_addr(address)
            .graceful_shutdown_signal(move || {
                let ending = ending.clone();
                async move { ending.notified().await }
            })
            .finish(map_config(app, |()| AppConfig::default()));
        accept(&sockets).and_then(http)
    };
    Ok(builder
        .workers(workers())
        .max_concurrent_connections(per_worker_max)
        .shutdown_timeout(STOP_WAIT_S)
        .disable_signals()
        .listen("agents", listener, service)?
        .run())
}

/// The threads that serve the port: as many as there are cores, within bounds.
fn workers() -> usize {
    let cores = std::thread::available_parallelism().map_or(WORKERS_MIN, NonZero::get);
    cores.clamp(WORKERS_MIN, WORKERS_MAX)
}

/// The routes without the server and its head check, for a caller with connections of its own.
pub fn configure(parts: McpParts) -> impl Fn(&mut ServiceConfig) + Clone + Send {
    routes(agent_port(parts, LeasedSessions::new(), AGENTS_TO_FILL))
}

fn routes(port: AgentPort) -> impl Fn(&mut ServiceConfig) + Clone + Send {
    let port = Data::new(port);
    move |service| {
        // People write the address with a slash at its end, too; a redirect there would end in some clients.
        let mcp = web::resource(["/mcp", "/mcp/"])
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

fn agent_port(parts: McpParts, transports: LeasedSessions, connections_max: usize) -> AgentPort {
    let direct = DirectMessages::new(&parts.tools, parts.direct_calls);
    let service = AgentService::new(parts.tools);
    let rmcp = StreamableHttpService::new(
        move || Ok(service.clone()),
        Arc::new(transports.clone()),
        transport_config(),
    );
    AgentPort {
        admission: Admission::of_keys_and_tokens(parts.grants, parts.sessions),
        audit: parts.audit,
        exposure: parts.exposure,
        transports,
        connections: parts.quotas.limit(Resource::Connections, connections_max),
        uploads: parts
            .quotas
            .limit(Resource::UploadBytes, BODY_BYTES_PER_AGENT_MAX),
        direct,
        rmcp,
    }
}

/// `Host` and `Origin` are left to `head_check`, which knows the public address.
fn transport_config() -> StreamableHttpServerConfig {
    let mut config = StreamableHttpServerConfig::default();
    config.session_store = Some(Arc::new(Handshakes));
    config
        .disable_allowed_hosts()
        .with_json_response(true)
        .with_sse_keep_alive(Some(STREAM_KEEP_ALIVE))
        .with_max_request_body_bytes(BODY_BYTES_MAX)
}
