//! Counts of audit rows by hour, for what would otherwise scan the audit log. They cover the calls of the operator's agents, and
//! those without a user (r006).

mod first_call;
mod recount;

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use deadpool_postgres::Object;
use sextant_actors::domain::OPERATOR;

use crate::db::{self, Lent, ServicePool, StoreError};

pub(crate) use first_call::first_call;
pub use recount::{count_anew, count_anew_all};

const END_SOON: &str = include_str!("../../sql/statements/transaction/end_soon.sql");
const LAST_CALLS: &str = include_str!("../../sql/statements/audit_hourly/last_calls.sql");
const AGENTS: &str = include_str!("../../sql/statements/audit_hourly/agents.sql");
const TOOLS: &str = include_str!("../../sql/statements/audit_hourly/tools.sql");
const CALLS: &str = include_str!("../../sql/statements/audit_hourly/calls.sql");

/// The most names that are listed of each kind.
const NAMES_MAX: i64 = 1_000;

/// The names by which the audit log can be filtered.
#[derive(Debug)]
pub struct Facets {
    pub agents: Vec<String>,
    pub tools: Vec<String>,
}

/// A range of whole hours, divided into equal steps.
#[derive(Clone, Copy, Debug)]
pub struct HourRange {
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    pub step: TimeDelta,
}

/// The number of calls of one name in one step of a range, counted from 0; `None` is for rows without a name.
#[derive(Debug)]
pub struct HourlyCalls {
    pub name: Option<String>,
    pub step: usize,
    pub calls: u64,
}

/// When each of `agents` last made a call; one that never did is left out.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn last_calls(
    pool: &ServicePool,
    agents: Vec<String>,
) -> Result<HashMap<String, DateTime<Utc>>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LAST_CALLS).await?;
    let rows = client.query(&statement, &[&OPERATOR, &agents]).await?;
    rows.iter()
        .map(|row| db::columns("audit_hourly/last_calls", row))
        .collect()
}

/// The agents and the tools that occur in the audit log, by name.
///
/// # Errors
/// When the database cannot be read.
pub async fn facets(pool: &ServicePool) -> Result<Facets, StoreError> {
    let client = pool.get().await?;
    Ok(Facets {
        agents: names(&client, "audit_hourly/agents", AGENTS).await?,
        tools: names(&client, "audit_hourly/tools", TOOLS).await?,
    })
}

async fn names(client: &Object, name: &'static str, sql: &str) -> Result<Vec<String>, StoreError> {
    let statement = client.prepare_cached(sql).await?;
    let rows = client.query(&statement, &[&OPERATOR, &NAMES_MAX]).await?;
    rows.iter().map(|row| db::column(name, row)).collect()
}

/// The calls in a range, of one agent or of all, grouped by `agent`, `sector` or `tool`.
///
/// # Errors
/// When the database cannot be read, or not in time.
pub async fn calls(
    pool: &ServicePool,
    by: &'static str,
    range: HourRange,
    agent: Option<&str>,
) -> Result<Vec<HourlyCalls>, StoreError> {
    let mut lent = Lent::new(pool.get().await?);
    let reading = lent.connection()?.transaction().await?;
    reading.batch_execute(END_SOON).await?;
    let statement = reading.prepare_cached(CALLS).await?;
    let step_s = range.step.as_seconds_f64();
    let rows = reading
        .query(
            &statement,
            &[&OPERATOR, &by, &range.from, &range.to, &step_s, &agent],
        )
        .await?;
    if reading.rollback().await.is_ok() {
        lent.give_back();
    }
    rows.iter()
        .map(|row| {
            let (name, step, calls): (_, i64, _) = db::columns("audit_hourly/calls", row)?;
            Ok(HourlyCalls {
                name,
                step: usize::try_from(step).map_err(|_| StoreError::Fault {
                    cause: "a count of no step".to_owned(),
                })?,
                calls: db::count(calls)?,
            })
        })
        .collect()
}
