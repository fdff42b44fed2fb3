//! The record's rows as they are written: ids are drawn first, so that a flush whose answer was lost can be sent again (r021, r022).

use std::sync::Arc;

use serde_json::Value;
use sextant_actors::domain::{Decision, Outcome, Sector};
use sextant_actors::ports::{self, AuditStore, PortFuture};
use sextant_actors::record::Entry;
use uuid::Uuid;

use crate::db::{ServicePool, StoreError};

const DRAW_IDS: &str = include_str!("../../sql/statements/audit_log/draw_ids.sql");
const INSERT: &str = include_str!("../../sql/statements/audit_log/insert.sql");

/// The statements, for the test that prepares each against the schema.
pub const STATEMENTS: [&str; 2] = [DRAW_IDS, INSERT];

/// The port `AuditStore` over a pool.
#[derive(Clone)]
pub struct Record {
    pool: ServicePool,
}

impl Record {
    /// The record of the database behind `pool`.
    pub const fn new(pool: ServicePool) -> Self {
        Self { pool }
    }
}

impl AuditStore for Record {
    fn draw_ids(&self, count: usize) -> PortFuture<Result<Vec<i64>, ports::StoreError>> {
        let pool = self.pool.clone();
        Box::pin(async move { Ok(draw_ids(&pool, count).await?) })
    }

    fn insert(&self, rows: Arc<Vec<(i64, Entry)>>) -> PortFuture<Result<(), ports::StoreError>> {
        let pool = self.pool.clone();
        Box::pin(async move { Ok(insert(&pool, &rows).await?) })
    }
}

async fn draw_ids(pool: &ServicePool, count: usize) -> Result<Vec<i64>, StoreError> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let client = pool.get().await?;
    let statement = client.prepare_cached(DRAW_IDS).await?;
    let rows = client.query(&statement, &[&count]).await?;
    rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
}

async fn insert(pool: &ServicePool, rows: &[(i64, Entry)]) -> Result<(), StoreError> {
    let batch = Columns::of(rows);
    let client = pool.get().await?;
    let statement = client.prepare_cached(INSERT).await?;
    client
        .execute(
            &statement,
            &[
                &batch.ids,
                &batch.users,
                &batch.agents,
                &batch.tools,
                &batch.sectors,
                &batch.decisions,
                &batch.deny_reasons,
                &batch.args,
                &batch.result_counts,
                &batch.outcomes,
                &batch.request_ids,
            ],
        )
        .await?;
    Ok(())
}

/// A batch turned on its side: one array a column, as `unnest` takes them. Arguments travel as text and become jsonb in the
/// statement, where one that PostgreSQL refuses blames its batch (SQLSTATE 22).
#[derive(Default)]
struct Columns<'batch> {
    ids: Vec<i64>,
    users: Vec<Option<Uuid>>,
    agents: Vec<Option<&'batch str>>,
    tools: Vec<&'batch str>,
    sectors: Vec<Option<&'static str>>,
    decisions: Vec<&'static str>,
    deny_reasons: Vec<Option<&'batch str>>,
    args: Vec<Option<String>>,
    result_counts: Vec<Option<i32>>,
    outcomes: Vec<Option<&'static str>>,
    request_ids: Vec<Option<&'batch str>>,
}

impl<'batch> Columns<'batch> {
    fn of(rows: &'batch [(i64, Entry)]) -> Self {
        let mut columns = Self::default();
        for (id, entry) in rows {
            columns.push(*id, entry);
        }
        columns
    }

    fn push(&mut self, id: i64, entry: &'batch Entry) {
        let (decision, deny_reason) = match &entry.decision {
            Decision::Allow => ("allow", None),
            Decision::Deny(reason) => ("deny", Some(reason.as_str())),
        };
        self.ids.push(id);
        self.users.push(entry.user_id);
        self.agents.push(entry.agent_id.as_deref());
        self.tools.push(&entry.tool);
        self.sectors.push(entry.sector.map(Sector::name));
        self.decisions.push(decision);
        self.deny_reasons.push(deny_reason);
        self.args.push(entry.args.as_ref().map(Value::to_string));
        self.result_counts.push(entry.result_count);
        self.outcomes.push(entry.outcome.map(outcome));
        self.request_ids.push(entry.request_id.as_deref());
    }
}

const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "ok",
        Outcome::Error => "error",
    }
}
