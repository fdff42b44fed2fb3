//! A change of a connection, made known to those who check pushes against it.

use uuid::Uuid;

use crate::db::StoreError;
use crate::http::console::Parts;

/// Publishes a change that is committed already. A failure refuses that one connection until it has been read again: the
/// safe side, and nothing that the caller could undo.
pub(in crate::http::console) async fn publish(parts: &Parts, id: Uuid) {
    if let Err(error) = parts.connections.reload(id).await {
        log::warn!("connection {id} was changed but could not be read again yet: {error}");
    }
}

/// Publishes what was, or may have been, changed.
pub(super) async fn publish_if_changed<T>(parts: &Parts, id: Uuid, done: &Result<T, StoreError>) {
    if matches!(done, Ok(_) | Err(StoreError::FateUnknown { .. })) {
        publish(parts, id).await;
    }
}
