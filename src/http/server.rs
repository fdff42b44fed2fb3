//! The Console port: its scopes, and the middleware around each.
//!
//! ```text
//! every answer      wire::in_flight, headers::add_to_answers, head_requests::route_as_get
//!   /healthz        no check
//!   ingest          its own secret, mounted by the caller
//!   read mirror     the agent's key, mounted by the caller
//!   everything else host_check::guard
//! ```
//! It is built with `actix_http` rather than `HttpServer`, since only there a request that waits for `100 Continue` can be refused
//! without sending it.

use std::net::TcpListener;
use std::time::Duration;

use actix_http::{HttpService, Request};
use actix_server::Server;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::dev::AppConfig;
use actix_web::middleware::from_fn;
use actix_web::{App, web};

use super::console::{self, Parts};
use super::endpoint::Endpoint;
use super::head_requests;
use super::headers;
use super::host_check::{self, AllowedHosts};
use super::ingest::ExpectDecision;
use super::problem::{Code, Problem};
use super::wire::in_flight::count_request;
use super::wire::{PortSockets, SocketStream, accept};
use super::{ingest, read_mirror};

/// The longest a client may take to send the head of its request.
const REQUEST_HEAD_WAIT_MAX: Duration = Duration::from_secs(10);
/// The longest that the stop waits for open answers, in seconds.
const SHUTDOWN_WAIT_S: u64 = 5;
/// How long a connection that was refused may take to close.
const DISCONNECT_WAIT_MAX: Duration = Duration::from_secs(1);
/// The most threads that serve the port; most of the work is done by the database.
const WORKERS_MAX: usize = 4;

/// What the Console port is made of.
#[derive(Clone)]
pub struct ConsoleParts {
    /// What the Console's routes work with.
    pub routes: Parts,
    /// By which hosts a browser may reach them.
    pub allowed_hosts: AllowedHosts,
    /// The port's connections.
    pub sockets: PortSockets,
}

/// What lies outside the Host check besides `/healthz`: its routes, and the decision on requests that wait for `100 Continue` (RFC 9110
/// §10.1.1).
#[derive(Clone)]
pub struct Unguarded<R, E> {
    /// Mounts the routes.
    pub routes: R,
    /// Lets such a request go on to its route, or answers it.
    pub expect: E,
}

/// Every route of the port, as its surfaces have them.
pub fn endpoints() -> Vec<Endpoint> {
    [
        &console::endpoints(),
        ingest::ENDPOINTS,
        read_mirror::ENDPOINTS,
    ]
    .concat()
}

/// A path that is not UTF-8 names nothing.
fn unreadable_path() -> web::PathConfig {
    web::PathConfig::default().error_handler(|_, _| {
        Problem::new(Code::NotFound, "there is nothing under this path").into()
    })
}

/// Serves the Console port on `listener`.
///
/// # Errors
/// When the listener cannot be taken over.
pub fn start<R, E>(
    listener: TcpListener,
    parts: ConsoleParts,
    unguarded: Unguarded<R, E>,
) -> std::io::Result<Server>
where
    R: Fn(&mut web::ServiceConfig) + Clone + Send + 'static,
    E: Fn(Request) -> ExpectDecision + Clone + Send + 'static,
{
    parts.sockets.set_options(&listener)?;
    let sockets = parts.sockets;
    let per_worker_max = sockets.per_worker_max(workers());
    let routes = web::Data::new(parts.routes);
    let allowed_hosts = web::Data::new(parts.allowed_hosts);
    let address = listener.local_addr()?;
    let builder = Server::build();
    let ending = builder.graceful_shutdown_signal();
    let service = move || {
        let app = App::new()
            .app_data(routes.clone())
            .app_data(allowed_hosts.clone())
            .app_data(unreadable_path())
            .wrap(from_fn(headers::add_to_answers))
            .wrap(from_fn(head_requests::route_as_get))
            .wrap(from_fn(count_request))
            .configure(console::configure_unguarded)
            .configure(unguarded.routes.clone())
            .service(
                web::scope("")
                    .wrap(from_fn(host_check::guard))
                    .configure(console::configure),
            );
        let app = app.into_factory().map_err(|error| error.error_response());
        let (expect, ending) = (unguarded.expect.clone(), ending.clone());
        let http = HttpService::build()
            .client_request_timeout(REQUEST_HEAD_WAIT_MAX)
            .client_disconnect_timeout(DISCONNECT_WAIT_MAX)
            .on_connect_ext(|stream: &SocketStream, data| {
                data.insert(stream.socket());
            })
            .local_addr(address)
            .graceful_shutdown_signal(move || {
                let ending = ending.clone();
                async move { ending.notified().await }
            })
            .expect(fn_service(expect))
            .finish(map_config(app, |()| AppConfig::default()));
        accept(&sockets).and_then(http)
    };
    Ok(builder
        .workers(workers())
        .max_concurrent_connections(per_worker_max)
        .shutdown_timeout(SHUTDOWN_WAIT_S)
        .disable_signals()
        .listen("console", listener, service)?
        .run())
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(WORKERS_MAX))
}
