//! The grants, in the table `agents`. A change reads, decides and writes in one transaction, under the row's lock.

use chrono::{DateTime, Utc};
use deadpool_postgres::{GenericClient, Transaction};
use sextant_actors::domain::{AgentName, Digest, Grant, OPERATOR};
use sextant_actors::ports::{self, GrantApplied, GrantChange, GrantStore, PortFuture};
use tokio_postgres::Row;

use crate::db::{ServicePool, StoreError, expect_one, tx};

const LOCK_ALL: &str = include_str!("../../sql/statements/agents/lock_all.sql");
const WAIT_BRIEFLY: &str = include_str!("../../sql/statements/transaction/wait_briefly.sql");
const LIST: &str = include_str!("../../sql/statements/agents/list.sql");
const NAMES: &str = include_str!("../../sql/statements/agents/names.sql");
const READ: &str = include_str!("../../sql/statements/agents/read.sql");
const READ_FOR_UPDATE: &str = include_str!("../../sql/statements/agents/read_for_update.sql");
const PUT: &str = include_str!("../../sql/statements/agents/put.sql");
const REMOVE: &str = include_str!("../../sql/statements/agents/remove.sql");

/// The port `GrantStore` over a pool.
#[derive(Clone)]
pub(crate) struct GrantTable {
    pool: ServicePool,
}

impl GrantTable {
    /// GrantTable of the database behind `pool`.
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
}

/// The names of all stored agents, including those whose grant has not been published.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn names(pool: &ServicePool) -> Result<Vec<AgentName>, StoreError> {
    let rows = pool.get().await?.query(NAMES, &[&OPERATOR]).await?;
    let names = rows.iter().map(|row| {
        let name: &str = row.try_get("name")?;
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

/// What an edit does to the row.
#[derive(Debug, PartialEq, Eq)]
enum GrantEdit {
    Put(Grant),
    Remove,
    Refuse(GrantApplied),
}

fn decide(
    stored: Option<Grant>,
    agent: AgentName,
    change: GrantChange,
    now: DateTime<Utc>,
) -> GrantEdit {
    match (stored, change) {
        (
            _,
            GrantChange::Create {
                key,
                sectors,
                expires_at,
            },
        ) => GrantEdit::Put(Grant {
            agent,
            key_digest: key,
            sectors,
            created_at: now,
            revoked_at: None,
            expires_at,
            // The statement that writes the row counts it.
            edition: 0,
        }),
        (None, _) => GrantEdit::Refuse(GrantApplied::NotFound),
        (Some(_), GrantChange::Remove) => GrantEdit::Remove,
        (Some(grant), GrantChange::Rotate { .. }) if has_passed(&grant, now) => {
            GrantEdit::Refuse(GrantApplied::DeadlinePassed)
        }
        (Some(grant), change) => GrantEdit::Put(amend(grant, change, now)),
    }
}

fn has_passed(grant: &Grant, now: DateTime<Utc>) -> bool {
    grant.expires_at.is_some_and(|deadline| deadline <= now)
}

fn amend(mut grant: Grant, change: GrantChange, now: DateTime<Utc>) -> Grant {
    match change {
        GrantChange::Rotate { key } => {
            grant.key_digest = key;
            grant.created_at = now;
            grant.revoked_at = None;
        }
        GrantChange::Amend {
            sectors,
            expires_at,
        } => {
            grant.sectors = sectors.unwrap_or(grant.sectors);
            grant.expires_at = expires_at.unwrap_or(grant.expires_at);
        }
        GrantChange::Revoke => grant.revoked_at = grant.revoked_at.or(Some(now)),
        GrantChange::Create { .. } | GrantChange::Remove => {}
    }
    grant
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
    let name: &str = row.try_get("name")?;
    let hash: &[u8] = row.try_get("key_hash")?;
    Ok(Grant {
        agent: name.parse().map_err(|_| foreign())?,
        key_digest: Digest::from_stored(hash).ok_or_else(foreign)?,
        sectors: row.try_get("sectors")?,
        created_at: row.try_get("created_at")?,
        revoked_at: row.try_get("revoked_at")?,
        expires_at: row.try_get("expires_at")?,
        edition: row.try_get("edition")?,
    })
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn agent() -> AgentName {
        "laptop".parse().unwrap()
    }

    fn stored(expires_at: Option<DateTime<Utc>>) -> Grant {
        Grant {
            agent: agent(),
            key_digest: Digest::of("old"),
            sectors: vec!["mail".to_owned()],
            created_at: DateTime::UNIX_EPOCH,
            revoked_at: Some(DateTime::UNIX_EPOCH),
            expires_at,
            edition: 0,
        }
    }

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(2)
    }

    fn put(edit: GrantEdit) -> Grant {
        match edit {
            GrantEdit::Put(grant) => grant,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn r060_a_second_key_under_a_name_replaces_the_first_and_its_revocation() {
        let change = GrantChange::Create {
            key: Digest::of("new"),
            sectors: Vec::new(),
            expires_at: None,
        };
        let grant = put(decide(Some(stored(None)), agent(), change, now()));
        assert_eq!(grant.key_digest, Digest::of("new"));
        assert_eq!((grant.revoked_at, grant.sectors.len()), (None, 0));
    }

    #[test]
    fn a_rotation_keeps_sectors_and_deadline_and_clears_a_revocation() {
        let deadline = Some(now() + TimeDelta::days(1));
        let change = GrantChange::Rotate {
            key: Digest::of("new"),
        };
        let grant = put(decide(Some(stored(deadline)), agent(), change, now()));
        assert_eq!((grant.revoked_at, grant.expires_at), (None, deadline));
        assert_eq!(grant.sectors, ["mail"]);
    }

    #[test]
    fn a_rotation_after_the_deadline_is_refused() {
        let change = GrantChange::Rotate {
            key: Digest::of("new"),
        };
        let step = decide(Some(stored(Some(now()))), agent(), change, now());
        assert_eq!(step, GrantEdit::Refuse(GrantApplied::DeadlinePassed));
    }

    #[test]
    fn a_change_to_no_grant_is_not_found() {
        for change in [
            GrantChange::Revoke,
            GrantChange::Remove,
            GrantChange::Rotate {
                key: Digest::of("x"),
            },
        ] {
            let step = decide(None, agent(), change, now());
            assert_eq!(step, GrantEdit::Refuse(GrantApplied::NotFound));
        }
    }

    #[test]
    fn a_second_revocation_keeps_the_first_stamp() {
        let grant = put(decide(
            Some(stored(None)),
            agent(),
            GrantChange::Revoke,
            now(),
        ));
        assert_eq!(grant.revoked_at, Some(DateTime::UNIX_EPOCH));
    }
}
