//! Which domains of a home stand in its catalogue of actions.

use std::collections::BTreeMap;

use sextant_actors::domain::OPERATOR;
use tokio_postgres::types::{Json, ToSql};
use uuid::Uuid;

use crate::db::{Cells, ServicePool, StoreError, expect_at_most_one, tx};

const READ: &str = include_str!("../../../sql/statements/connections/action_domains.sql");
const LEAVE_OUT: &str = include_str!("../../../sql/statements/connections/leave_out_domains.sql");

/// The domains of one home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeDomains {
    /// How many entities each domain has.
    pub entities: BTreeMap<String, u64>,
    /// What the person has left out; `None` while they have not said so.
    pub left_out: Option<Vec<String>>,
}

/// Reads them. Returns `None` if there is no such connection.
///
/// # Errors
/// When the database cannot be read.
pub async fn action_domains(
    pool: &ServicePool,
    id: Uuid,
) -> Result<Option<HomeDomains>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(READ).await?;
    let found = client.query_opt(&statement, &[&OPERATOR, &id]).await?;
    let Some(row) = found else {
        return Ok(None);
    };
    let mut cells = Cells::of("connections/action_domains", &row);
    let left_out: Option<Json<Vec<String>>> = cells.named("left_out")?;
    let Json(entities) = cells.named("domains")?;
    cells.end()?;
    Ok(Some(HomeDomains {
        entities,
        left_out: left_out.map(|Json(left_out)| left_out),
    }))
}

/// Leaves domains out, or with `None` those that are out by default. Returns `false` if there is no such connection.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn leave_out_domains(
    pool: &ServicePool,
    id: Uuid,
    left_out: Option<&[String]>,
) -> Result<bool, StoreError> {
    tx(pool, "leave out domains", |transaction| {
        Box::pin(async move {
            let values: [&(dyn ToSql + Sync); 3] = [&OPERATOR, &id, &left_out];
            let changed = transaction.execute(LEAVE_OUT, &values).await?;
            expect_at_most_one("connections/leave_out_domains", changed)
        })
    })
    .await
}
