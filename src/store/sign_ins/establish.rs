//! A sign-in is made or renewed, with its secret sealed and its connections, in one transaction.

use std::fmt;

use chrono::{DateTime, Utc};
use deadpool_postgres::Transaction;
use sextant_actors::domain::OPERATOR;
use sextant_connectors::secret::SourceSecret;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::SignIn;
use crate::catalog::Table;
use crate::config::Secret;
use crate::db::{ServicePool, StoreError, TxFailure, column, expect_at_most_one, tx};
use crate::sealing::{SealError, SealingTurn, UnsealError};

const CLAIM: &str = include_str!("../../../sql/statements/sign_ins/claim.sql");
const KEEP: &str = include_str!("../../../sql/statements/sign_ins/keep.sql");
pub(super) const TAKE_UP: &str = include_str!("../../../sql/statements/sign_ins/take_up.sql");
const COMPLETE: &str = include_str!("../../../sql/statements/sign_ins/complete.sql");
const CONNECT: &str = include_str!("../../../sql/statements/sign_ins/connect.sql");

/// A credential that was tried, and is to be kept.
#[derive(Clone, Debug)]
pub struct NewSignIn {
    /// Its id, unless the account is known already.
    pub id: Uuid,
    /// The provider's word.
    pub provider: &'static str,
    /// What decides whether another is of the same account.
    pub identity: String,
    /// Whose it is, for people.
    pub account: String,
    /// What is sealed.
    pub secret: SourceSecret,
    /// When it ends by itself.
    pub ends_at: Option<DateTime<Utc>>,
}

/// A connection of a sign-in to be created, for one sector.
#[derive(Clone, Debug)]
pub struct NewPulled {
    pub id: Uuid,
    pub label: String,
    /// The sector's main table.
    pub table: &'static Table,
    /// Between two rounds, in seconds.
    pub interval_s: i32,
    /// How far back is read, in days; `None` for all there is.
    pub window_days: Option<i32>,
}

/// Why nothing was stored.
#[derive(Debug)]
pub enum SignInStoreError {
    /// It could not be sealed.
    Seal(SealError),
    /// What is there already does not open.
    Unseal(UnsealError),
    /// The database.
    Store(StoreError),
}

/// Keeps the credential, and makes the connections of sectors that it has none of yet. The same account entered again renews its
/// sign-in: its connections stay, and those that waited for it go on. Answers it with all its connections.
///
/// # Errors
/// When it cannot be sealed, or the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn establish(
    pool: &ServicePool,
    turn: &SealingTurn,
    new: &NewSignIn,
    connections: &[NewPulled],
    now: DateTime<Utc>,
) -> Result<SignIn, SignInStoreError> {
    tx(pool, "establish a sign-in", |transaction| {
        Box::pin(async move {
            let account = (&*new.identity, &*new.account);
            let id = claim(&transaction, (new.id, new.provider), account, now).await?;
            keep(&transaction, turn, id, (&new.secret, new.ends_at), now).await?;
            transaction.execute(COMPLETE, &[&OPERATOR, &id]).await?;
            let of = (id, new.provider, new.ends_at);
            Ok(connect_missing(&transaction, of, connections, now).await?)
        })
    })
    .await
}

/// The sign-in of the account of this identity and name, locked; `id` is that of a new one.
pub(super) async fn claim(
    transaction: &Transaction<'_>,
    (id, provider): (Uuid, &str),
    (identity, account): (&str, &str),
    now: DateTime<Utc>,
) -> Result<Uuid, StoreError> {
    let values: [&(dyn ToSql + Sync); 6] = [&OPERATOR, &id, &provider, &identity, &account, &now];
    let row = transaction.query_one(CLAIM, &values).await?;
    column("sign_ins/claim", &row)
}

/// Keeps another credential of the sign-in; its connections that waited for it go on. `None` if there is no such sign-in.
///
/// # Errors
/// When it cannot be sealed, or the database cannot be written; nothing has changed then, unless the fate is unknown.
pub async fn renew(
    pool: &ServicePool,
    turn: &SealingTurn,
    id: Uuid,
    secret: (&SourceSecret, Option<DateTime<Utc>>),
    now: DateTime<Utc>,
) -> Result<Option<SignIn>, SignInStoreError> {
    tx(pool, "renew a sign-in", |transaction| {
        Box::pin(async move {
            match keep(&transaction, turn, id, secret, now).await? {
                true => Ok(super::read_within(&*transaction, id).await?),
                false => Ok(None),
            }
        })
    })
    .await
}

/// Seals the secret for this sign-in and keeps it; `false` if there is no such sign-in.
pub(super) async fn keep(
    transaction: &Transaction<'_>,
    turn: &SealingTurn,
    id: Uuid,
    (secret, ends_at): (&SourceSecret, Option<DateTime<Utc>>),
    now: DateTime<Utc>,
) -> Result<bool, SignInStoreError> {
    let sealed = turn.seal(id, &Secret::new(secret.reveal()));
    let sealed = sealed.map_err(SignInStoreError::Seal)?;
    let values: [&(dyn ToSql + Sync); 4] = [&OPERATOR, &id, &sealed, &ends_at];
    let kept = transaction.execute(KEEP, &values).await?;
    let is_kept = expect_at_most_one("sign_ins/keep", kept)?;
    let values: [&(dyn ToSql + Sync); 4] = [&OPERATOR, &id, &ends_at, &now];
    transaction.execute(TAKE_UP, &values).await?;
    Ok(is_kept)
}

/// Makes the connections of sectors that the sign-in has none of yet; answers it with all that it has.
pub(super) async fn connect_missing(
    transaction: &Transaction<'_>,
    (id, provider, ends_at): (Uuid, &str, Option<DateTime<Utc>>),
    connections: &[NewPulled],
    now: DateTime<Utc>,
) -> Result<SignIn, StoreError> {
    let known = read(transaction, id).await?.connections;
    let is_new = |new: &&NewPulled| known.iter().all(|own| own.sector != new.table.sector);
    for new in connections.iter().filter(is_new) {
        let (sector, target) = (new.table.sector.name(), new.table.target());
        let values: [&(dyn ToSql + Sync); 11] = [
            &OPERATOR,
            &new.id,
            &id,
            &provider,
            &new.label,
            &sector,
            &target,
            &new.interval_s,
            &new.window_days,
            &ends_at,
            &now,
        ];
        transaction.execute(CONNECT, &values).await?;
    }
    read(transaction, id).await
}

async fn read(transaction: &Transaction<'_>, id: Uuid) -> Result<SignIn, StoreError> {
    let found = super::read_within(transaction, id).await?;
    found.ok_or(StoreError::UnexpectedRows {
        statement: "sign_ins/read",
        expected: 1,
        found: 0,
    })
}

impl From<StoreError> for SignInStoreError {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause)
    }
}

impl From<tokio_postgres::Error> for SignInStoreError {
    fn from(cause: tokio_postgres::Error) -> Self {
        Self::Store(cause.into())
    }
}

impl TxFailure for SignInStoreError {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(cause) => Some(cause),
            Self::Seal(_) | Self::Unseal(_) => None,
        }
    }
}

impl fmt::Display for SignInStoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seal(cause) => cause.fmt(f),
            Self::Unseal(cause) => cause.fmt(f),
            Self::Store(cause) => cause.fmt(f),
        }
    }
}

impl std::error::Error for SignInStoreError {}
