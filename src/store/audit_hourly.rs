//! The record counted by the hour: what needs no scan of the record itself. The operator's calls, and nobody's (r006).

mod recount;

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use deadpool_postgres::Object;
use sextant_actors::domain::OPERATOR;

use crate::db::{self, Lent, ServicePool, StoreError};

pub use recount::{count_anew, count_anew_all};

const END_SOON: &str = include_str!("../../sql/statements/transaction/end_soon.sql");
const LAST_CALLS: &str = include_str!("../../sql/statements/audit_hourly/last_calls.sql");
const AGENTS: &str = include_str!("../../sql/statements/audit_hourly/agents.sql");
const TOOLS: &str = include_str!("../../sql/statements/audit_hourly/tools.sql");
const CALLS: &str = include_str!("../../sql/statements/audit_hourly/calls.sql");

/// The most names that are listed of either kind.
const NAMES_MAX: i64 = 1_000;

/// What the record can be filtered by.
#[derive(Debug)]
pub struct Facets {
    pub agents: Vec<String>,
    pub tools: Vec<String>,
}

/// A stretch of whole hours, cut into equal steps.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    pub step: TimeDelta,
}

/// The calls of one name in one step of a stretch; rows without a name have none.
#[derive(Debug)]
pub struct Counted {
    pub name: Option<String>,
    pub step: usize,
    pub calls: u64,
}

/// When each of `agents` was last recorded; one that never was is left out.
///
/// # Errors
/// When the database cannot be read.
pub async fn last_calls(
    pool: &ServicePool,
    agents: Vec<String>,
) -> Result<HashMap<String, DateTime<Utc>>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LAST_CALLS).await?;
    let rows = client.query(&statement, &[&OPERATOR, &agents]).await?;
    rows.iter()
        .map(|row| Ok((row.try_get("agent_id")?, row.try_get("last_at")?)))
        .collect()
}

/// The agents and the verbs that were ever recorded, by name.
///
/// # Errors
/// When the database cannot be read.
pub async fn facets(pool: &ServicePool) -> Result<Facets, StoreError> {
    let client = pool.get().await?;
    Ok(Facets {
        agents: names(&client, AGENTS).await?,
        tools: names(&client, TOOLS).await?,
    })
}

async fn names(client: &Object, sql: &str) -> Result<Vec<String>, StoreError> {
    let statement = client.prepare_cached(sql).await?;
    let rows = client.query(&statement, &[&OPERATOR, &NAMES_MAX]).await?;
    rows.iter().map(|row| Ok(row.try_get("name")?)).collect()
}

/// The calls of a stretch, of one agent or of all, by `agent`, `sector` or `tool`.
///
/// # Errors
/// When the database cannot be read, or not in time.
pub async fn calls(
    pool: &ServicePool,
    by: &'static str,
    stretch: Stretch,
    agent: Option<&str>,
) -> Result<Vec<Counted>, StoreError> {
    let mut lent = Lent::new(pool.get().await?);
    let reading = lent.connection()?.transaction().await?;
    reading.batch_execute(END_SOON).await?;
    let statement = reading.prepare_cached(CALLS).await?;
    let step_s = stretch.step.as_seconds_f64();
    let rows = reading
        .query(
            &statement,
            &[&OPERATOR, &by, &stretch.from, &stretch.to, &step_s, &agent],
        )
        .await?;
    if reading.rollback().await.is_ok() {
        lent.give_back();
    }
    rows.iter()
        .map(|row| {
            let step: i64 = row.try_get("step")?;
            Ok(Counted {
                name: row.try_get("name")?,
                step: usize::try_from(step).map_err(|_| StoreError::Fault {
                    cause: "a count of no step".to_owned(),
                })?,
                calls: db::count(row.try_get("calls")?)?,
            })
        })
        .collect()
}
