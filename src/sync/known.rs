//! What of a scope is stored, as a round asks for it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::round::KnownItems;
use uuid::Uuid;

use crate::db::{ServicePool, StoreError, columns};

const VERSIONS: &str = include_str!("../../sql/statements/source_items/versions.sql");

/// The items of one connection.
pub(super) struct StoredVersions {
    pool: ServicePool,
    connection: Uuid,
    /// The database failed: what the round says then is no word of its source.
    has_failed: AtomicBool,
}

impl StoredVersions {
    pub(super) const fn new(pool: ServicePool, connection: Uuid) -> Self {
        Self {
            pool,
            connection,
            has_failed: AtomicBool::new(false),
        }
    }

    /// Whether the database failed since the last call.
    pub(super) fn take_failed(&self) -> bool {
        self.has_failed.swap(false, Ordering::AcqRel)
    }

    async fn read(
        &self,
        scope: &str,
        keys: &[String],
    ) -> Result<HashMap<String, String>, StoreError> {
        let client = self.pool.get().await?;
        let statement = client.prepare_cached(VERSIONS).await?;
        let rows = client
            .query(&statement, &[&self.connection, &scope, &keys])
            .await?;
        let version = |row| columns("source_items/versions", row);
        rows.iter().map(version).collect()
    }
}

#[async_trait]
impl KnownItems for StoredVersions {
    async fn versions(
        &self,
        scope: &str,
        keys: &[String],
    ) -> Result<HashMap<String, String>, SourceFailure> {
        self.read(scope, keys).await.map_err(|cause| {
            log::warn!("what is stored of a source could not be read: {cause}");
            self.has_failed.store(true, Ordering::Release);
            SourceFailure::new(FailureKind::Unavailable, "the database is away")
        })
    }
}
