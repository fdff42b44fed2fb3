//! The sign-in that a path names, and its connections made known.

use futures_util::future::join_all;
use uuid::Uuid;

use super::problem::not_found;
use crate::http::console::Parts;
use crate::http::console::connections::publish;
use crate::http::problem::Problem;
use crate::store::sign_ins::SignIn;

/// Publishes the connections of a sign-in that was, or may have been, changed.
pub(in crate::http::console) async fn publish_all(parts: &Parts, sign_in: &SignIn) {
    for connection in &sign_in.connections {
        publish(parts, connection.id).await;
    }
}

/// The id in a path. A text that is no id is the id of no sign-in.
///
/// # Errors
/// When it is none.
pub(super) fn id_in_path(id: &str) -> Result<Uuid, Problem> {
    id.parse().map_err(|_| not_found())
}

/// Begins a round of each of its connections, so that the person sees the credential work. One that is paused, or whose source wants a
/// rest, is read in its own time.
pub(in crate::http::console) async fn read_now(parts: &Parts, sign_in: &SignIn) {
    let connections = sign_in.connections.iter();
    let begun = connections.map(|connection| parts.connections.sync_now(connection.id));
    join_all(begun).await;
}
