//! What the operator has set in the Console, in the table `settings`: a name and a value each.
//!
//! An erase of everything leaves it as it is, and an export does not hold it: it says nothing of the data.

use sextant_actors::domain::{Digest, OPERATOR};
use tokio_postgres::types::ToSql;

use super::bridge::sign_ins;
use crate::db::{ServicePool, StoreError, column, expect_at_most_one, expect_one, tx};

const IS_SET: &str = include_str!("../../sql/statements/settings/is_set.sql");
const SET: &str = include_str!("../../sql/statements/settings/set.sql");

const TEXT: &str = include_str!("../../sql/statements/settings/text.sql");
const SET_TEXT: &str = include_str!("../../sql/statements/settings/set_text.sql");
const CLEAR: &str = include_str!("../../sql/statements/settings/clear.sql");

/// The name of the setting that holds the public address.
const PUBLIC_ADDRESS: &str = "public_address";

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

/// The public address as it is stored.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn public_address(pool: &ServicePool) -> Result<Option<String>, StoreError> {
    let client = pool.get().await?;
    let row = client
        .query_opt(TEXT, &[&OPERATOR, &PUBLIC_ADDRESS])
        .await?;
    row.map(|row| column("settings/text", &row)).transpose()
}

/// Stores the public address. Clients that signed in under another one have signed in elsewhere: where `ends_sign_ins`, all of them go;
/// returns their access tokens.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn set_public_address(
    pool: &ServicePool,
    address: &str,
    ends_sign_ins: bool,
) -> Result<Vec<Digest>, StoreError> {
    tx(pool, "set the public address", |transaction| {
        Box::pin(async move {
            let values: [&(dyn ToSql + Sync); 3] = [&OPERATOR, &PUBLIC_ADDRESS, &address];
            let stored = transaction.execute(SET_TEXT, &values).await?;
            expect_one("settings/set_text", stored)?;
            match ends_sign_ins {
                true => sign_ins::end_all(&transaction).await,
                false => Ok(Vec::new()),
            }
        })
    })
    .await
}

/// Forgets the public address, and with it every client that signed in; returns their access tokens.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn clear_public_address(pool: &ServicePool) -> Result<Vec<Digest>, StoreError> {
    tx(pool, "clear the public address", |transaction| {
        Box::pin(async move {
            let cleared = transaction
                .execute(CLEAR, &[&OPERATOR, &PUBLIC_ADDRESS])
                .await?;
            expect_at_most_one("settings/clear", cleared)?;
            sign_ins::end_all(&transaction).await
        })
    })
    .await
}
