//! The table `provider_apps`: what the operator has registered at providers where a person consents, and at aggregators of banks. Secrets are sealed as those of
//! sign-ins are, each bound to the id of its row; who stores one holds a turn of the keys until it is committed.

use std::fmt;

use sextant_actors::domain::OPERATOR;
use sextant_connectors::oauth::ClientApp;
use sextant_connectors::provider::LinkingApplication;
use sextant_connectors::secret::SourceSecret;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::config::Secret;
use crate::db::{ServicePool, StoreError, column, columns, expect_at_most_one, expect_one, tx};
use crate::sealing::{CredentialKeys, SealingTurn, UnsealError};
use crate::store::sign_ins::SignInStoreError;

const LIST: &str = include_str!("../../sql/statements/provider_apps/list.sql");
const READ: &str = include_str!("../../sql/statements/provider_apps/read.sql");
const SET: &str = include_str!("../../sql/statements/provider_apps/set.sql");
const TAKE_UP: &str = include_str!("../../sql/statements/provider_apps/take_up.sql");
const DELETE: &str = include_str!("../../sql/statements/provider_apps/delete.sql");

/// An app as the Console reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedApp {
    /// The provider's word.
    pub provider: String,
    pub client_id: String,
}

/// Why there is no app to ask a provider with.
#[derive(Debug)]
pub enum AppError {
    /// None was set.
    Absent,
    /// Its secret does not open: the key is lost, or it is damaged.
    Sealed(UnsealError),
    /// The database.
    Store(StoreError),
}

/// All that are set.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn list(pool: &ServicePool) -> Result<Vec<ListedApp>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LIST).await?;
    let rows = client.query(&statement, &[&OPERATOR]).await?;
    let app = |row| {
        let (provider, client_id) = columns("provider_apps/list", row)?;
        Ok(ListedApp {
            provider,
            client_id,
        })
    };
    rows.iter().map(app).collect()
}

/// Reads and opens the app of a provider.
///
/// # Errors
/// Why there is none.
pub(crate) async fn read(
    pool: &ServicePool,
    keys: &CredentialKeys,
    provider: &str,
) -> Result<ClientApp, AppError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(READ).await?;
    let row = client
        .query_opt(&statement, &[&OPERATOR, &provider])
        .await?;
    let row = row.ok_or(AppError::Absent)?;
    let (id, client_id, sealed): (Uuid, String, &[u8]) = columns("provider_apps/read", &row)?;
    let secret = keys.open_sealed(id, sealed).map_err(AppError::Sealed)?;
    Ok(ClientApp {
        id: client_id,
        secret: SourceSecret::new(secret.expose()),
    })
}

/// The same as banks are linked with.
///
/// # Errors
/// Why there is none.
pub(crate) async fn read_application(
    pool: &ServicePool,
    keys: &CredentialKeys,
    provider: &str,
) -> Result<LinkingApplication, AppError> {
    let app = read(pool, keys, provider).await?;
    Ok(LinkingApplication {
        id: app.id,
        key: app.secret,
    })
}

/// Seals and stores the app of a provider, in place of the one that there was. `id` is drawn anew each time. Returns the connections
/// that waited for an app, and go on.
///
/// # Errors
/// When it cannot be sealed, or the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn set(
    pool: &ServicePool,
    turn: &SealingTurn,
    (id, provider): (Uuid, &str),
    app: &ClientApp,
) -> Result<Vec<Uuid>, SignInStoreError> {
    let sealed = turn.seal(id, &Secret::new(app.secret.reveal()));
    let sealed = sealed.map_err(SignInStoreError::Seal)?;
    tx(pool, "set an app", |transaction| {
        let sealed = &sealed;
        Box::pin(async move {
            let values: [&(dyn ToSql + Sync); 5] = [&OPERATOR, &provider, &id, &app.id, sealed];
            let stored = transaction.execute(SET, &values).await?;
            expect_one("provider_apps/set", stored)?;
            let rows = transaction.query(TAKE_UP, &[&OPERATOR, &provider]).await?;
            let taken_up = rows.iter().map(|row| column("provider_apps/take_up", row));
            Ok(taken_up.collect::<Result<_, _>>()?)
        })
    })
    .await
}

/// Deletes the app of a provider; false if there was none.
///
/// # Errors
/// When the database cannot be written; nothing has changed then, unless the fate is unknown.
pub(crate) async fn delete(pool: &ServicePool, provider: &str) -> Result<bool, StoreError> {
    tx(pool, "delete an app", |transaction| {
        Box::pin(async move {
            let deleted = transaction.execute(DELETE, &[&OPERATOR, &provider]).await?;
            expect_at_most_one("provider_apps/delete", deleted)
        })
    })
    .await
}

impl From<StoreError> for AppError {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause)
    }
}

impl From<tokio_postgres::Error> for AppError {
    fn from(cause: tokio_postgres::Error) -> Self {
        Self::Store(cause.into())
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WHERE: &str = "enter its client id and secret in Settings, Provider apps";
        match self {
            Self::Absent => write!(f, "no app is set for this provider; {WHERE}"),
            Self::Sealed(cause) => write!(f, "the secret of the provider's app: {cause}; {WHERE}"),
            Self::Store(cause) => cause.fmt(f),
        }
    }
}

impl std::error::Error for AppError {}
