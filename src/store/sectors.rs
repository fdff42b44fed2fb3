//! The number of rows in each sector.

use std::collections::HashMap;

use deadpool_postgres::{Object, Transaction};
use sextant_actors::domain::{OPERATOR, Sector};
use tokio_postgres::Row;

use crate::db::{self, Lent, ServicePool, StoreError};

const END_SOON: &str = include_str!("../../sql/statements/transaction/end_soon.sql");
const COUNT: &str = include_str!("../../sql/statements/sectors/count_rows.sql");
const ESTIMATE: &str = include_str!("../../sql/statements/sectors/estimate_rows.sql");

/// Rows by sector.
pub(crate) type RowCounts = HashMap<Sector, u64>;

/// The number of rows in every sector: counted, or if that takes too long, the database's estimate.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn rows(pool: &ServicePool) -> Result<RowCounts, StoreError> {
    let mut lent = Lent::new(pool.get().await?);
    let counted = count_rows(lent.connection()?).await;
    let rows = match counted {
        Err(StoreError::Cancelled) => estimate_rows(lent.connection()?).await?,
        counted => counted?,
    };
    lent.give_back();
    Ok(rows)
}

async fn count_rows(connection: &mut Object) -> Result<RowCounts, StoreError> {
    let reading = connection
        .build_transaction()
        .read_only(true)
        .start()
        .await?;
    let rows = count(&reading).await;
    reading.rollback().await?;
    rows
}

async fn count(reading: &Transaction<'_>) -> Result<RowCounts, StoreError> {
    reading.batch_execute(END_SOON).await?;
    let statement = reading.prepare_cached(COUNT).await?;
    by_sector(&reading.query(&statement, &[&OPERATOR]).await?)
}

async fn estimate_rows(connection: &Object) -> Result<RowCounts, StoreError> {
    let statement = connection.prepare_cached(ESTIMATE).await?;
    let names = Sector::ALL.map(Sector::name);
    by_sector(&connection.query(&statement, &[&names.as_slice()]).await?)
}

fn by_sector(rows: &[Row]) -> Result<RowCounts, StoreError> {
    let mut counts: RowCounts = Sector::ALL.into_iter().map(|sector| (sector, 0)).collect();
    for row in rows {
        let sector = super::connections::sector(row.try_get("sector")?)?;
        counts.insert(sector, db::count(row.try_get("n")?)?);
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    #[test]
    fn every_table_of_the_catalogue_is_counted() {
        let stored: Vec<String> = catalog::tables()
            .filter(|table| table.is_stored())
            .map(|table| format!("FROM {} WHERE", table.target()))
            .collect();
        for from in &stored {
            assert_eq!(COUNT.matches(from).count(), 1, "{from}");
        }
        assert_eq!(COUNT.matches("count(*)").count(), stored.len());
    }
}
