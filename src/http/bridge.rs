//! OAuth for hosted agents, on the agent port: what is known of the service, registration, the sign-in page, and tokens (docs/asking.md,
//! "Agents elsewhere").
//!
//! ```text
//! visit.rs      who is served here: whoever came by the public address, and not too often    caller.rs  who that is, behind a proxy
//! metadata.rs   RFC 9728 and RFC 8414      registration.rs  RFC 7591      tokens.rs  the token endpoint      answer.rs  its errors
//! sign_in.rs    the sign-in page           page.rs   what it looks like
//! ```
//!
//! By this computer's own names nothing of it is there: a client that has a key would leave it for a sign-in.

mod answer;
mod caller;
mod metadata;
mod page;
mod registration;
mod sign_in;
mod tokens;
mod visit;

use actix_web::web::{self, Data, ServiceConfig};

use crate::bridge::Bridge;

pub(crate) use self::caller::TrustedProxies;

/// Mounts the routes of the bridge.
pub(crate) fn configure(
    bridge: Bridge,
    proxies: TrustedProxies,
) -> impl Fn(&mut ServiceConfig) + Clone + Send {
    let (bridge, proxies) = (Data::new(bridge), Data::new(proxies));
    move |service| {
        service.app_data(bridge.clone()).app_data(proxies.clone());
        for path in metadata::RESOURCE_PATHS {
            service.route(path, web::get().to(metadata::resource));
        }
        for path in metadata::SERVER_PATHS {
            service.route(path, web::get().to(metadata::server));
        }
        service
            .route("/register", web::post().to(registration::register))
            .route("/authorize", web::get().to(sign_in::show))
            .route("/authorize", web::post().to(sign_in::submit))
            .route("/token", web::post().to(tokens::exchange));
    }
}
