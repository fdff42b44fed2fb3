use std::collections::HashMap;
use std::sync::Arc;

use uuid::Uuid;

use super::PushConnection;
use crate::domain::Sector;
use crate::ports::StoreError;

/// What a live fetch did at one connection.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The connection's label.
    pub connection: String,
    /// `push_only` for a push connection.
    pub outcome: &'static str,
    pub upserted: u64,
    pub deleted: u64,
    pub message: String,
}

/// The door to the connections.
#[derive(Clone)]
pub struct ConnectionsHandle;

impl ConnectionsHandle {
    /// The connections as published: a read, no message, no database.
    pub fn snapshot(&self) -> Arc<HashMap<Uuid, PushConnection>> {
        unimplemented!()
    }
    /// Reads the connections again and publishes them; returns when the new snapshot stands.
    ///
    /// # Errors
    /// When the database cannot be read; the old snapshot then stays, without `changed`, which is refused until it has been read.
    pub async fn changed(&self, _changed: Uuid) -> Result<(), StoreError> {
        unimplemented!()
    }
    /// Fetches from every active connection of the sector; empty when there is none.
    pub async fn fetch(&self, _sector: Sector) -> Vec<Fetched> {
        unimplemented!()
    }
}
