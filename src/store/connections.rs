//! The table `connections`: what the actors load, and what the Console reads and changes.
//!
//! A connection is never deleted, only marked as removed, because audit rows and its own rows refer to it. Whoever changes one
//! calls `ConnectionsHandle::reload` afterwards; nothing here knows the snapshot. Every change is a named transaction, even a
//! single statement: only then can a lost answer be distinguished from a change that was not made.

mod action_domains;
mod amend;
mod held;
mod load;
mod remove;
mod row;
pub(crate) mod samples;

use chrono::{DateTime, Utc};
use deadpool_postgres::{GenericClient, Transaction};
use sextant_actors::domain::{Digest, OPERATOR, Sector};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::catalog::Table;
use crate::db::{ServicePool, StoreError, expect_at_most_one, tx};

pub use action_domains::{HomeDomains, action_domains, leave_out_domains};
pub use amend::{PlanChange, amend};
pub(crate) use held::rows_of;
pub use load::ConnectionTable;
pub use remove::{Removed, RemovedRows, remove};
pub use row::Connection;

/// The code of a problem that stands beside a connection which is well: a part of its source needs somebody, one bank of many.
pub(crate) const WARNED: &str = "source_warning";

const LIST: &str = include_str!("../../sql/statements/connections/list.sql");
const CREATE: &str = include_str!("../../sql/statements/connections/create.sql");
const PAUSE: &str = include_str!("../../sql/statements/connections/pause.sql");
const RESUME: &str = include_str!("../../sql/statements/connections/resume.sql");
const ROTATE_SECRET: &str = include_str!("../../sql/statements/connections/rotate_secret.sql");

/// A push connection to be created.
#[derive(Clone, Debug)]
pub struct NewPush {
    pub id: Uuid,
    pub label: String,
    pub table: &'static Table,
    /// `None`: no device can push to it, until it is given one.
    pub secret: Option<Digest>,
}

/// All connections that are not removed, by sector and age.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(pool: &ServicePool) -> Result<Vec<Connection>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LIST).await?;
    let all = None::<Uuid>;
    let rows = client.query(&statement, &[&OPERATOR, &all]).await?;
    rows.iter().map(Connection::of).collect()
}

/// The connection `id`, unless it is removed.
///
/// # Errors
/// When the database cannot be read.
pub async fn read(pool: &ServicePool, id: Uuid) -> Result<Option<Connection>, StoreError> {
    let client = pool.get().await?;
    one(&client, LIST, &[&OPERATOR, &Some(id)]).await
}

/// Creates a push connection, active and waiting for its first push.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn create(
    pool: &ServicePool,
    new: &NewPush,
    now: DateTime<Utc>,
) -> Result<Connection, StoreError> {
    tx(pool, "make a connection", |transaction| {
        Box::pin(async move {
            let secret = new
                .secret
                .as_ref()
                .map(|secret| secret.as_bytes().as_slice());
            let values = (new.id, new.label.as_str(), new.table);
            insert(&transaction, values, Holds::OwnRows(secret), now).await
        })
    })
    .await
}

/// The id and label of a new connection, and the table it writes to.
type ConnectionValues<'a> = (Uuid, &'a str, &'static Table);

/// What a new connection is for.
#[derive(Clone, Copy)]
enum Holds<'a> {
    /// The person's own rows; the digest of its secret, if a device is to push to it.
    OwnRows(Option<&'a [u8]>),
    /// The sample household: nobody can push to it.
    Sample,
}

/// Inserts a connection.
async fn insert(
    transaction: &Transaction<'_>,
    (id, label, table): ConnectionValues<'_>,
    holds: Holds<'_>,
    now: DateTime<Utc>,
) -> Result<Connection, StoreError> {
    let (sector, target) = (table.sector.name(), table.target());
    let (secret, is_sample) = match holds {
        Holds::OwnRows(secret) => (secret, false),
        Holds::Sample => (None, true),
    };
    let values: [&(dyn ToSql + Sync); 8] = [
        &OPERATOR, &id, &label, &sector, &target, &secret, &now, &is_sample,
    ];
    let row = transaction.query_one(CREATE, &values).await?;
    Connection::of(&row)
}

/// Pauses the connection; one that is paused already keeps its `paused_at`. Returns `None` if there is no such connection.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn pause(
    pool: &ServicePool,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<Connection>, StoreError> {
    tx(pool, "pause a connection", |transaction| {
        Box::pin(async move { one(&*transaction, PAUSE, &[&OPERATOR, &id, &now]).await })
    })
    .await
}

/// Resumes a paused connection. Returns `None` if there is no such connection.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn resume(pool: &ServicePool, id: Uuid) -> Result<Option<Connection>, StoreError> {
    tx(pool, "resume a connection", |transaction| {
        Box::pin(async move { one(&*transaction, RESUME, &[&OPERATOR, &id]).await })
    })
    .await
}

/// Replaces the secret. Returns `false` if there is no such push connection.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn rotate_secret(
    pool: &ServicePool,
    id: Uuid,
    secret: &Digest,
) -> Result<bool, StoreError> {
    tx(pool, "rotate a secret", |transaction| {
        Box::pin(async move {
            let values: [&(dyn ToSql + Sync); 3] = [&OPERATOR, &id, &secret.as_bytes().as_slice()];
            let changed = transaction.execute(ROTATE_SECRET, &values).await?;
            expect_at_most_one("connections/rotate_secret", changed)
        })
    })
    .await
}

async fn one(
    client: &impl GenericClient,
    sql: &str,
    parameters: &[&(dyn ToSql + Sync)],
) -> Result<Option<Connection>, StoreError> {
    let statement = client.prepare_cached(sql).await?;
    let row = client.query_opt(&statement, parameters).await?;
    row.as_ref().map(Connection::of).transpose()
}

pub(crate) fn sector(word: &str) -> Result<Sector, StoreError> {
    word.parse().map_err(|_| StoreError::Fault {
        cause: "a row names no sector".to_owned(),
    })
}
