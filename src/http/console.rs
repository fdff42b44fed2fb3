//! The operator's routes: agents, sessions, connections, the sample household, the audit log, the data and its erasure, the actors; and
//! the Console's page, and the OpenAPI document that lists the routes.
//!
//! No login is asked for (r105): the address and the checks around this scope are the protection. Every noun has a file with the table of
//! its routes and a folder with a file for each, or a file with its one route. How to add a route: [`crate::http::endpoint`].

mod actors;
mod agents;
mod aggregator_apps;
mod audit;
mod client_id_hint;
mod connections;
mod data;
mod duplicates;
mod erase;
mod events;
mod export;
mod exposure;
mod health;
mod import;
mod inspector;
mod limits;
mod metrics;
mod oauth;
mod oauth_apps;
mod onboarding;
mod operator;
mod page;
mod parts;
mod providers;
mod row_limit;
mod sample;
mod sessions;
mod sign_ins;
mod stats;
mod status;
mod uploads;

use actix_web::web;

use self::parts::to_the_end;
use crate::http::endpoint::{Endpoint, mount};

pub use audit::CSV_AT_ONCE_MAX;
pub use events::EventStreams;
pub use import::Imports;
pub use limits::ReadLimits;
pub use parts::Parts;
pub use status::{PortNumbers, StatusCache};

/// The routes behind the checks, noun by noun.
const GUARDED: &[&[Endpoint]] = &[
    agents::ENDPOINTS,
    sessions::ENDPOINTS,
    connections::ENDPOINTS,
    providers::ENDPOINTS,
    sign_ins::ENDPOINTS,
    oauth::ENDPOINTS,
    oauth_apps::ENDPOINTS,
    aggregator_apps::ENDPOINTS,
    sample::ENDPOINTS,
    data::ENDPOINTS,
    duplicates::ENDPOINTS,
    erase::ENDPOINTS,
    operator::ENDPOINTS,
    audit::ENDPOINTS,
    stats::ENDPOINTS,
    export::ENDPOINTS,
    exposure::ENDPOINTS,
    import::ENDPOINTS,
    uploads::ENDPOINTS,
    actors::ENDPOINTS,
    status::ENDPOINTS,
    events::ENDPOINTS,
    onboarding::ENDPOINTS,
    metrics::ENDPOINTS,
    page::ENDPOINTS,
];

/// All routes of this surface.
pub fn endpoints() -> Vec<Endpoint> {
    [health::ENDPOINTS, &GUARDED.concat()].concat()
}

/// Mounts `/healthz`, which no check guards (r100, r101).
pub(crate) fn configure_unguarded(routes: &mut web::ServiceConfig) {
    mount(routes, health::ENDPOINTS);
}

/// Mounts everything else, for a scope that is guarded.
pub fn configure(routes: &mut web::ServiceConfig) {
    for endpoints in GUARDED {
        mount(routes, endpoints);
    }
    routes.default_service(web::to(page::other));
}
