//! Sign-ins: one credential each, with the connections that live by it (r129). They are made with their first connection, and go with
//! their last.
//!
//! A revocation leaves a row in the audit log (r039); entering a credential again leaves none.

mod credentials;
mod entered_fields;
mod key;
mod problem;
mod revoke;
mod show;
mod sign_in_view;

use uuid::Uuid;

use super::Parts;
use super::connections::publish;
use crate::http::endpoint::Endpoint;
use crate::store::sign_ins::SignIn;

pub(super) use self::entered_fields::EnteredFields;

pub(super) const ENDPOINTS: &[Endpoint] = &[
    show::ENDPOINT,
    revoke::ENDPOINT,
    credentials::ENDPOINT,
    key::ENDPOINT,
];

/// Publishes the connections of a sign-in that was, or may have been, changed.
async fn publish_all(parts: &Parts, sign_in: &SignIn) {
    for connection in &sign_in.connections {
        publish(parts, connection.id).await;
    }
}

/// The id in a path. A text that is no id is the id of no sign-in.
fn id_in_path(id: &str) -> Result<Uuid, crate::http::problem::Problem> {
    id.parse().map_err(|_| problem::not_found())
}
