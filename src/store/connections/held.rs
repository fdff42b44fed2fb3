//! How many rows a connection has.

use std::time::Duration;

use sextant_actors::domain::{OPERATOR, Sector};
use tokio::time::timeout;
use uuid::Uuid;

use crate::db::{self, Lent, ServicePool, StoreError};
use crate::statements::held;

/// The rows of the connection without those that were deleted, if they can be counted within `wait_max`: they are counted, unlike
/// those of a table. `None` if they cannot.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn rows_of(
    pool: &ServicePool,
    (id, sector): (Uuid, Sector),
    wait_max: Duration,
) -> Result<Option<u64>, StoreError> {
    match timeout(wait_max, count(pool, id, sector)).await {
        Ok(counted) => counted.map(Some),
        Err(_) => Ok(None),
    }
}

async fn count(pool: &ServicePool, id: Uuid, sector: Sector) -> Result<u64, StoreError> {
    let mut lent = Lent::new(pool.get().await?);
    let connection = lent.connection()?;
    let statement = connection.prepare_cached(&held::count(sector)).await?;
    let row = connection.query_one(&statement, &[&OPERATOR, &id]).await?;
    lent.give_back();
    db::count(db::column("statements::held::count", &row)?)
}
