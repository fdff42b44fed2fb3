//! The Console port: which scopes it has, and what stands around each.
//!
//! ```text
//! every answer      headers::mark
//!   /healthz        no check
//!   ingest          its own secret, mounted by the caller
//!   everything else host_check::guard
//! ```

use std::net::TcpListener;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::{App, HttpServer, web};

use super::console::{self, Parts};
use super::headers;
use super::host_check;
use super::host_name::AllowedHosts;

/// The longest a client may take to send the head of its request.
const REQUEST_HEAD_WAIT_MAX: Duration = Duration::from_secs(10);
/// The longest an open answer holds up the stop, in seconds.
const SHUTDOWN_WAIT_S: u64 = 5;
/// The most threads that serve the port; the work is the database's.
const WORKERS_MAX: usize = 4;

/// What the Console port is made of.
#[derive(Clone)]
pub struct ConsoleParts {
    pub routes: Parts,
    pub allowed_hosts: AllowedHosts,
}

/// Serves the Console port on `listener`. `unguarded` mounts what lies outside the Host check besides `/healthz`: ingest.
///
/// # Errors
/// When the listener cannot be taken over.
pub fn start(
    listener: TcpListener,
    parts: ConsoleParts,
    unguarded: impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static,
) -> std::io::Result<Server> {
    let routes = web::Data::new(parts.routes);
    let allowed_hosts = web::Data::new(parts.allowed_hosts);
    let server = HttpServer::new(move || {
        App::new()
            .app_data(routes.clone())
            .app_data(allowed_hosts.clone())
            .wrap(from_fn(headers::mark))
            .configure(console::configure_unguarded)
            .configure(unguarded.clone())
            .service(
                web::scope("")
                    .wrap(from_fn(host_check::guard))
                    .configure(console::configure),
            )
    });
    Ok(server
        .workers(workers())
        .tcp_nodelay(true)
        .client_request_timeout(REQUEST_HEAD_WAIT_MAX)
        .shutdown_timeout(SHUTDOWN_WAIT_S)
        .disable_signals()
        .listen(listener)?
        .run())
}

fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(WORKERS_MAX))
}
