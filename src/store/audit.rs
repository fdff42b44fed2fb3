//! Writes audit rows. A flush is one statement, which also advances the position in the journal. So it can be known whether a
//! flush whose answer was lost has happened (r021, r022).

use sextant_actors::audit::{AuditEntry, SafeArgs};
use sextant_actors::domain::{Decision, Outcome, Sector};
use sextant_actors::ports::{self, AuditStore, Flush, Flushed, PortFuture};
use uuid::Uuid;

use crate::db::{self, ServicePool, StoreError};

const BEGIN: &str = include_str!("../../sql/statements/audit_position/begin.sql");
const POSITION: &str = include_str!("../../sql/statements/audit_position/read.sql");
const INSERT: &str = include_str!("../../sql/statements/audit_log/insert.sql");

/// The port `AuditStore` over a pool.
#[derive(Clone)]
pub struct AuditLog {
    pool: ServicePool,
}

impl AuditLog {
    /// The audit log of the database behind `pool`.
    pub const fn new(pool: ServicePool) -> Self {
        Self { pool }
    }
}

impl AuditStore for AuditLog {
    fn position(&self, journal: Uuid) -> PortFuture<Result<u64, ports::PortError>> {
        let pool = self.pool.clone();
        Box::pin(async move { Ok(position(&pool, journal).await?) })
    }

    fn append(&self, flush: Flush) -> PortFuture<Result<Flushed, ports::PortError>> {
        let pool = self.pool.clone();
        Box::pin(async move { Ok(append(&pool, &flush).await?) })
    }
}

async fn position(pool: &ServicePool, journal: Uuid) -> Result<u64, StoreError> {
    let client = pool.get().await?;
    client.execute(BEGIN, &[&journal]).await?;
    let row = client.query_one(POSITION, &[&journal]).await?;
    db::count(db::column("audit_position/read", &row)?)
}

async fn append(pool: &ServicePool, flush: &Flush) -> Result<Flushed, StoreError> {
    let batch = ColumnArrays::of(&flush.rows);
    let client = pool.get().await?;
    let statement = client.prepare_cached(INSERT).await?;
    let row = client
        .query_one(
            &statement,
            &[
                &flush.journal,
                &stored(flush.expected),
                &stored(flush.through),
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
    let advanced: i64 = db::column("audit_log/insert", &row)?;
    match advanced {
        0 => Ok(Flushed::Elsewhere),
        _ => Ok(Flushed::Done),
    }
}

/// A sequence number of the journal as a bigint. It never reaches the limit.
fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A batch by columns: one array for each, as `unnest` takes them. Arguments are sent as text and converted to jsonb by the
/// statement, so that one that PostgreSQL refuses makes its batch fail with SQLSTATE class 22.
#[derive(Default)]
struct ColumnArrays<'batch> {
    users: Vec<Option<Uuid>>,
    agents: Vec<Option<&'batch str>>,
    tools: Vec<&'batch str>,
    sectors: Vec<Option<&'static str>>,
    decisions: Vec<&'static str>,
    deny_reasons: Vec<Option<&'batch str>>,
    args: Vec<Option<&'batch str>>,
    result_counts: Vec<Option<i32>>,
    outcomes: Vec<Option<&'static str>>,
    request_ids: Vec<Option<&'batch str>>,
}

impl<'batch> ColumnArrays<'batch> {
    fn of(rows: &'batch [(u64, AuditEntry)]) -> Self {
        let mut columns = Self::default();
        for (_, entry) in rows {
            columns.push(entry);
        }
        columns
    }

    fn push(&mut self, entry: &'batch AuditEntry) {
        let (decision, deny_reason) = match &entry.decision {
            Decision::Allow => ("allow", None),
            Decision::Deny(reason) => ("deny", Some(reason.as_str())),
        };
        self.users.push(entry.user_id);
        self.agents.push(entry.agent_id.as_deref());
        self.tools.push(&entry.tool);
        self.sectors.push(entry.sector.map(Sector::name));
        self.decisions.push(decision);
        self.deny_reasons.push(deny_reason);
        self.args.push(entry.args.as_ref().map(SafeArgs::as_str));
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
