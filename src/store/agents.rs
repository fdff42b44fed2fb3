//! The grants, in the table `agents`. A change reads, decides and writes in one transaction, under the row's lock.

mod decide;

use chrono::{DateTime, Utc};
use deadpool_postgres::{GenericClient, Transaction};
use sextant_actors::domain::{AgentName, Digest, Grant, OPERATOR};
use sextant_actors::ports::{self, GrantApplied, GrantChange, GrantStore, PortFuture};
use tokio_postgres::Row;

use self::decide::{GrantEdit, decide};
use crate::db::{Cells, ServicePool, StoreError, column, expect_one, tx};

const LOCK_ALL: &str = include_str!("../../sql/statements/agents/lock_all.sql");
const LOCK_EDITS: &str = include_str!("../../sql/statements/agents/lock_edits.sql");
const WAIT_BRIEFLY: &str = include_str!("../../sql/statements/transaction/wait_briefly.sql");
const LIST: &str = include_str!("../../sql/statements/agents/list.sql");
const NAMES: &str = include_str!("../../sql/statements/agents/names.sql");
const READ: &str = include_str!("../../sql/statements/agents/read.sql");
const READ_FOR_UPDATE: &str = include_str!("../../sql/statements/agents/read_for_update.sql");
const PUT: &str = include_str!("../../sql/statements/agents/put.sql");
const REVOKE_ALL: &str = include_str!("../../sql/statements/agents/revoke_all.sql");
const REMOVE: &str = include_str!("../../sql/statements/agents/remove.sql");

/// The port `GrantStore` over a pool.
#[derive(Clone)]
pub(crate) struct GrantTable {
    pool: ServicePool,
}

impl GrantTable {
    /// The grants of the database behind `pool`.
    pub(crate) const fn new(pool: ServicePool) -> Self {
        Self { pool }
    }
}

impl GrantStore for GrantTable {
    fn load(&self) -> PortFuture<Result<Vec<Grant>, ports::PortError>> {
        let pool = self.pool.clone();
        Box::pin(async move { Ok(load(&pool).await?) })
    }

    fn read(&self, agent: AgentName) -> PortFuture<Result<Option<Grant>, ports::PortError>> {
        let pool = self.pool.clone();
        Box::pin(async move { Ok(read(&pool, &agent).await?) })
    }

    fn apply(
        &self,
        agent: AgentName,
        change: GrantChange,
        now: DateTime<Utc>,
    ) -> PortFuture<Result<GrantApplied, ports::PortError>> {
        let pool = self.pool.clone();
        Box::pin(async move { Ok(apply(&pool, &agent, &change, now).await?) })
    }

    fn revoke_all(&self, now: DateTime<Utc>) -> PortFuture<Result<Vec<Grant>, ports::PortError>> {
        let pool = self.pool.clone();
        Box::pin(async move { Ok(revoke_all(&pool, now).await?) })
    }
}

/// The names of all stored agents, including those whose grant has not been published.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn names(pool: &ServicePool) -> Result<Vec<AgentName>, StoreError> {
    let rows = pool.get().await?.query(NAMES, &[&OPERATOR]).await?;
    let names = rows.iter().map(|row| {
        let name: &str = column("agents/names", row)?;
        name.parse().map_err(|_| StoreError::Fault {
            cause: "a row of agents names none".to_owned(),
        })
    });
    names.collect()
}

/// Loads all grants. Waits for an edit in flight, which is seen wholly or not at all.
async fn load(pool: &ServicePool) -> Result<Vec<Grant>, StoreError> {
    tx(pool, "load the grants", |transaction| {
        Box::pin(async move {
            lock_all(&transaction).await?;
            let statement = transaction.prepare_cached(LIST).await?;
            let rows = transaction.query(&statement, &[&OPERATOR]).await?;
            rows.iter().map(grant).collect::<Result<_, StoreError>>()
        })
    })
    .await
}

/// Reads one grant. Waits for a transaction in flight: a commit whose answer was lost may still be executed by the server.
async fn read(pool: &ServicePool, agent: &AgentName) -> Result<Option<Grant>, StoreError> {
    tx(pool, "read a grant", |transaction| {
        Box::pin(async move {
            lock_all(&transaction).await?;
            find(&*transaction, READ, agent).await
        })
    })
    .await
}

/// Waits until every edit in flight has been committed or rolled back.
async fn lock_all(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    transaction.batch_execute(WAIT_BRIEFLY).await?;
    transaction.batch_execute(LOCK_ALL).await?;
    Ok(())
}

async fn apply(
    pool: &ServicePool,
    agent: &AgentName,
    change: &GrantChange,
    now: DateTime<Utc>,
) -> Result<GrantApplied, StoreError> {
    tx(pool, "edit a grant", |transaction| {
        Box::pin(async move { edit(&transaction, agent, change.clone(), now).await })
    })
    .await
}

/// Revokes every grant that is not revoked. Waits for an edit in flight, so that none is left out, and none begins meanwhile.
async fn revoke_all(pool: &ServicePool, now: DateTime<Utc>) -> Result<Vec<Grant>, StoreError> {
    tx(pool, "revoke all grants", |transaction| {
        Box::pin(async move {
            transaction.batch_execute(WAIT_BRIEFLY).await?;
            transaction.batch_execute(LOCK_EDITS).await?;
            let statement = transaction.prepare_cached(REVOKE_ALL).await?;
            let rows = transaction.query(&statement, &[&OPERATOR, &now]).await?;
            rows.iter().map(grant).collect::<Result<_, StoreError>>()
        })
    })
    .await
}

async fn edit(
    transaction: &Transaction<'_>,
    agent: &AgentName,
    change: GrantChange,
    now: DateTime<Utc>,
) -> Result<GrantApplied, StoreError> {
    let stored = find(transaction, READ_FOR_UPDATE, agent).await?;
    let replaced = stored.is_some();
    let grant = match decide(stored, agent.clone(), change, now) {
        GrantEdit::Refuse(refused) => return Ok(refused),
        GrantEdit::Put(grant) => Some(put(transaction, &grant).await?),
        GrantEdit::Remove => {
            remove(transaction, agent).await?;
            None
        }
    };
    Ok(GrantApplied::Done { grant, replaced })
}

async fn find(
    client: &impl GenericClient,
    sql: &str,
    agent: &AgentName,
) -> Result<Option<Grant>, StoreError> {
    let statement = client.prepare_cached(sql).await?;
    let row = client
        .query_opt(&statement, &[&OPERATOR, &agent.as_str()])
        .await?;
    row.as_ref().map(grant).transpose()
}

async fn put(transaction: &Transaction<'_>, new: &Grant) -> Result<Grant, StoreError> {
    let statement = transaction.prepare_cached(PUT).await?;
    let row = transaction
        .query_one(
            &statement,
            &[
                &OPERATOR,
                &new.agent.as_str(),
                &new.key_digest.as_bytes().as_slice(),
                &new.sectors,
                &new.created_at,
                &new.revoked_at,
                &new.expires_at,
            ],
        )
        .await?;
    grant(&row)
}

async fn remove(transaction: &Transaction<'_>, agent: &AgentName) -> Result<(), StoreError> {
    let statement = transaction.prepare_cached(REMOVE).await?;
    let removed = transaction
        .execute(&statement, &[&OPERATOR, &agent.as_str()])
        .await?;
    expect_one("agents/remove", removed)
}

/// The grant of a row. A row that is no valid grant was not written by this program: the read fails instead of leaving it out.
fn grant(row: &Row) -> Result<Grant, StoreError> {
    let foreign = || StoreError::Fault {
        cause: "a row of agents holds no grant".to_owned(),
    };
    let mut cells = Cells::of("agents/read", row);
    let name: &str = cells.named("name")?;
    let hash: &[u8] = cells.named("key_hash")?;
    let grant = Grant {
        agent: name.parse().map_err(|_| foreign())?,
        key_digest: Digest::from_stored(hash).ok_or_else(foreign)?,
        sectors: cells.named("sectors")?,
        created_at: cells.named("created_at")?,
        revoked_at: cells.named("revoked_at")?,
        expires_at: cells.named("expires_at")?,
        edition: cells.named("edition")?,
    };
    cells.end()?;
    Ok(grant)
}
