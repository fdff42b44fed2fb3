//! The connections as the actors load them.

use std::time::Duration;

use sextant_actors::domain::{Digest, KnownConnection, OPERATOR};
use sextant_actors::ports::{self, ConnectionStore, PortFuture};
use tokio_postgres::Row;

use crate::db::{Cells, ServicePool, StoreError};

const LOAD: &str = include_str!("../../../sql/statements/connections/load.sql");

/// The port `ConnectionStore` over a pool.
#[derive(Clone)]
pub struct ConnectionTable {
    pool: ServicePool,
}

impl ConnectionTable {
    /// The connections of the database behind `pool`.
    pub const fn new(pool: ServicePool) -> Self {
        Self { pool }
    }
}

impl ConnectionStore for ConnectionTable {
    fn load(&self) -> PortFuture<Result<Vec<KnownConnection>, ports::PortError>> {
        let pool = self.pool.clone();
        Box::pin(async move { Ok(load(&pool).await?) })
    }
}

async fn load(pool: &ServicePool) -> Result<Vec<KnownConnection>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LOAD).await?;
    let rows = client.query(&statement, &[&OPERATOR]).await?;
    rows.iter().map(connection).collect()
}

/// A stored digest of the wrong length counts as no secret, so that no key matches it (r082).
fn connection(row: &Row) -> Result<KnownConnection, StoreError> {
    let mut cells = Cells::of("connections/load", row);
    let connection = KnownConnection {
        id: cells.named("id")?,
        user: cells.named("user_id")?,
        provider: cells.named("provider")?,
        label: cells.named("label")?,
        sector: super::sector(cells.named("sector")?)?,
        target: cells.named("target_table")?,
        state: super::row::state(cells.named("paused_at")?),
        secret: cells
            .named::<Option<&[u8]>>("ingest_secret_sha256")?
            .and_then(Digest::from_stored),
        health: cells.named("health")?,
        problem: cells.named("problem")?,
        last_success_at: cells.named("last_success_at")?,
        interval: cells.named::<Option<i32>>("interval_s")?.map(seconds),
        expires_at: cells.named("expires_at")?,
        is_sample: cells.named("is_sample")?,
    };
    cells.end()?;
    Ok(connection)
}

/// The column holds no negative numbers.
fn seconds(stored: i32) -> Duration {
    Duration::from_secs(stored.unsigned_abs().into())
}
