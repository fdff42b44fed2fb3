//! The actor tree: what is started in which order, and how it is stopped.

use std::sync::Arc;

use crate::clock::Clock;
use crate::connections::ConnectionsHandle;
use crate::grants::GrantsHandle;
use crate::limits::Limits;
use crate::ports::{AuditStore, ConnectionStore, Desk, GrantStore};
use crate::record::AuditHandle;
use crate::sessions::SessionsHandle;

/// The world, as the actors are given it.
pub struct Ports {
    pub audit: Arc<dyn AuditStore>,
    pub grants: Arc<dyn GrantStore>,
    pub connections: Arc<dyn ConnectionStore>,
    pub clock: Arc<dyn Clock>,
}

/// The running actors.
pub struct Tree {
    pub audit: AuditHandle,
    pub grants: GrantsHandle,
    pub sessions: SessionsHandle,
    pub connections: ConnectionsHandle,
}

impl Tree {
    /// Starts the actors in order and waits until each has loaded what it needs. `desk` is built from the handles it reads.
    pub async fn start(
        _ports: Ports,
        _limits: Limits,
        _desk: impl FnOnce(&GrantsHandle, &ConnectionsHandle) -> Arc<dyn Desk>,
    ) -> Self {
        unimplemented!()
    }
    /// Resolves when an actor has given up: the service must stop, with a non-zero exit.
    pub async fn failed(&self) -> String {
        unimplemented!()
    }
    /// No new sessions, and every live one ends.
    pub async fn close_sessions(&self) {
        unimplemented!()
    }
    /// Connections halt at a page boundary.
    pub async fn halt_connections(&self) {
        unimplemented!()
    }
    /// Writes what the record still holds; returns how many rows were left behind.
    pub async fn drain(&self) -> usize {
        unimplemented!()
    }
}
