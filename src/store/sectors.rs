//! The number of rows in each sector.

use std::collections::HashMap;

use sextant_actors::domain::{OPERATOR, Sector};

use crate::db::{self, Lent, ServicePool, StoreError};

const COUNT: &str = include_str!("../../sql/statements/sectors/count_rows.sql");

/// Rows by sector.
pub(crate) type RowCounts = HashMap<Sector, u64>;

/// The number of rows in every sector, exact: it is kept, not counted (`sql/migrations/0011_counts.sql`).
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn rows(pool: &ServicePool) -> Result<RowCounts, StoreError> {
    let mut lent = Lent::new(pool.get().await?);
    let connection = lent.connection()?;
    let statement = connection.prepare_cached(COUNT).await?;
    let rows = connection.query(&statement, &[&OPERATOR]).await?;
    lent.give_back();
    let mut counts: RowCounts = Sector::ALL.into_iter().map(|sector| (sector, 0)).collect();
    for row in &rows {
        let (sector, n) = db::columns("sectors/count_rows", row)?;
        counts.insert(super::connections::sector(sector)?, db::count(n)?);
    }
    Ok(counts)
}
