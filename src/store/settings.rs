//! What the operator has set in the Console, in the table `settings`: a name and a value each.
//!
//! An erase of everything leaves it as it is, and an export does not hold it: it says nothing of the data.

use sextant_actors::domain::OPERATOR;
use tokio_postgres::types::ToSql;

use crate::db::{ServicePool, StoreError, column, expect_one, tx};

const IS_SET: &str = include_str!("../../sql/statements/settings/is_set.sql");
const SET: &str = include_str!("../../sql/statements/settings/set.sql");

/// The name of the setting that the first steps are not shown any more.
const ONBOARDING_DISMISSED: &str = "onboarding_dismissed";

/// Whether the operator has dismissed the first steps.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn is_onboarding_dismissed(pool: &ServicePool) -> Result<bool, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(IS_SET).await?;
    let values: [&(dyn ToSql + Sync); 2] = [&OPERATOR, &ONBOARDING_DISMISSED];
    let row = client.query_one(&statement, &values).await?;
    column("settings/is_set", &row)
}

/// Stores that the operator has dismissed the first steps.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn dismiss_onboarding(pool: &ServicePool) -> Result<(), StoreError> {
    tx(pool, "dismiss the first steps", |transaction| {
        Box::pin(async move {
            let values: [&(dyn ToSql + Sync); 2] = [&OPERATOR, &ONBOARDING_DISMISSED];
            let stored = transaction.execute(SET, &values).await?;
            expect_one("settings/set", stored)
        })
    })
    .await
}
