//! The port `Rounds`: rounds run on threads of their own, so that what they read and store delays no call and no edit.

use std::collections::HashMap;
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use sextant_actors::domain::OPERATOR;
use sextant_actors::ports::{
    self, PortFuture, RoundEnd, RoundOrder, RoundReport, Rounds, Settlement, SyncPlan,
};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;
use tokio_postgres::types::Json;
use uuid::Uuid;

#[cfg(target_os = "linux")]
use super::limits::PRIORITY;
use super::limits::{INTERVAL_DEFAULT, THREADS};
use super::round::RunningRound;
use super::services::SyncParts;
use super::source::{ReadableSource, Unopened};
use super::{runs, settle, verdict};
use crate::db::{Cells, ServicePool, StoreError, columns};

const PLAN: &str = include_str!("../../sql/statements/connections/plan.sql");
const POSITIONS: &str = include_str!("../../sql/statements/sync_cursors/positions.sql");
/// The words of health that only a person can change.
const NEEDS_PERSON: [&str; 3] = ["needs_sign_in", "needs_credentials", "consent_expired"];

/// The threads of rounds; they end when this is dropped.
pub struct SyncThreads {
    handle: Handle,
    runtime: Option<Runtime>,
}

impl SyncThreads {
    /// Starts them.
    ///
    /// # Errors
    /// When the system gives none.
    pub fn start() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("sync")
            .on_thread_start(give_way)
            .enable_all()
            .build()?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })
    }
}

/// Rounds wait for nobody who is waiting: where a person or an agent wants the same core, theirs is the turn. Elsewhere than on Linux the
/// priority would be the whole process's, and stays as it is.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(refused) = rustix::process::setpriority_process(None, PRIORITY) {
        log::warn!("rounds run at the priority of calls: {refused}");
    }
}

impl Drop for SyncThreads {
    /// Dropping a runtime inside another one panics; this shuts it down without waiting.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The rounds of all connections.
#[derive(Clone)]
pub(crate) struct SourceRounds {
    parts: SyncParts,
    threads: Handle,
}

impl SourceRounds {
    /// Rounds that run on these threads; once they have ended, none does.
    pub(crate) fn new(parts: SyncParts, threads: &SyncThreads) -> Self {
        Self {
            parts,
            threads: threads.handle.clone(),
        }
    }
}

/// A task that ends with whoever waits for it.
struct Tied(JoinHandle<RoundReport>);

impl Drop for Tied {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Rounds for SourceRounds {
    fn plan(&self, connection: Uuid) -> PortFuture<Result<SyncPlan, ports::PortError>> {
        let parts = self.parts.clone();
        Box::pin(async move { Ok(plan(&parts, connection).await?) })
    }

    fn run(&self, order: RoundOrder) -> PortFuture<RoundReport> {
        let (parts, threads) = (self.parts.clone(), self.threads.clone());
        Box::pin(async move {
            let mut task = Tied(threads.spawn(async move { run(&parts, &order).await }));
            match (&mut task.0).await {
                Ok(report) => report,
                // A panic is the actor's: its guard counts it, and parks the connection when there are too many.
                Err(failed) if failed.is_panic() => resume_unwind(failed.into_panic()),
                Err(_) => RoundReport::of(RoundEnd::Halted),
            }
        })
    }

    fn settle(
        &self,
        connection: Uuid,
        settled: Settlement,
    ) -> PortFuture<Result<(), ports::PortError>> {
        let pool = self.parts.pool.clone();
        Box::pin(async move { Ok(settle::settle(&pool, connection, &settled).await?) })
    }

    fn siblings(&self, connection: Uuid) -> PortFuture<Result<Vec<Uuid>, ports::PortError>> {
        let pool = self.parts.pool.clone();
        Box::pin(async move { Ok(settle::siblings(&pool, connection).await?) })
    }
}

/// A connection that is gone waits for nobody.
async fn plan(parts: &SyncParts, connection: Uuid) -> Result<SyncPlan, StoreError> {
    let client = parts.pool.get().await?;
    let statement = client.prepare_cached(PLAN).await?;
    let found = client
        .query_opt(&statement, &[&OPERATOR, &connection])
        .await?;
    let Some(row) = found else {
        return Ok(SyncPlan {
            interval: INTERVAL_DEFAULT,
            is_stream: false,
            last_success_at: None,
            retry_at: None,
            wished_until: None,
            needs_person: true,
        });
    };
    let mut cells = Cells::of("connections/plan", &row);
    let provider: &str = cells.named("provider")?;
    let interval = cells.named::<Option<i32>>("interval_s")?;
    let interval = interval.and_then(|seconds| u64::try_from(seconds).ok());
    let plan = SyncPlan {
        interval: interval.map_or(INTERVAL_DEFAULT, Duration::from_secs),
        is_stream: parts
            .providers
            .get(provider)
            .is_some_and(|known| known.is_stream()),
        last_success_at: cells.named("last_success_at")?,
        retry_at: cells.named("retry_at")?,
        wished_until: cells.named("wished_until")?,
        needs_person: NEEDS_PERSON.contains(&cells.named("health")?),
    };
    cells.end()?;
    Ok(plan)
}

async fn run(parts: &SyncParts, order: &RoundOrder) -> RoundReport {
    match begin(parts, order).await {
        Ok(report) => report,
        Err(cause) => {
            log::warn!("connection {} was not read: {cause}", order.connection);
            RoundReport::of(RoundEnd::StoreAway)
        }
    }
}

async fn begin(parts: &SyncParts, order: &RoundOrder) -> Result<RoundReport, StoreError> {
    let turn = tokio::select! {
        biased;
        () = order.halt.cancelled() => return Ok(RoundReport::of(RoundEnd::Halted)),
        turn = Arc::clone(&parts.rounds).acquire_owned() => turn,
    };
    let loaded = ReadableSource::load(&parts.pool, order.connection).await?;
    let Some(mut source) = loaded.filter(|source| !source.is_paused) else {
        return Ok(RoundReport::of(RoundEnd::Halted));
    };
    let now = parts.clock.now();
    // Another connection of its sign-in may have been told to rest since this round was wanted.
    let wished_until = plan(parts, order.connection).await?.wished_until;
    if wished_until.is_some_and(|until| until > now) {
        return Ok(RoundReport::of(RoundEnd::Halted));
    }
    let Some(run) = runs::begin(&parts.pool, order.connection, now).await? else {
        return Ok(RoundReport::of(RoundEnd::Halted));
    };
    // An order is run once; nobody else sets it.
    let _ = order.run.set(run);
    let opened = match source.open(parts).await {
        Ok(opened) => opened,
        Err(Unopened::NoCredential(report)) => return Ok(report),
        Err(Unopened::Store(cause)) => return Err(cause),
        Err(Unopened::Failed(failure)) => {
            let kind = (source.sector, source.is_stream);
            return Ok(verdict::of_failure(
                &failure,
                kind,
                source.problem.as_ref(),
                now,
            ));
        }
    };
    let positions = positions(&parts.pool, &source, order.connection).await?;
    let round = RunningRound::new(parts, order, &source, run, positions);
    let report = round.run(opened, turn.ok()).await;
    Ok(report)
}

async fn positions(
    pool: &ServicePool,
    source: &ReadableSource,
    connection: Uuid,
) -> Result<HashMap<String, Value>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(POSITIONS).await?;
    let rows = client
        .query(&statement, &[&source.user, &connection])
        .await?;
    let position = |row| {
        let (scope, Json(position)): (String, Json<Value>) =
            columns("sync_cursors/positions", row)?;
        Ok((scope, position))
    };
    rows.iter().map(position).collect()
}
