//! The secret of a sign-in, opened for who asks its source.

use std::fmt;

use chrono::{DateTime, Utc};
use sextant_actors::domain::OPERATOR;
use sextant_connectors::secret::SourceSecret;
use uuid::Uuid;

use crate::db::{Cells, ServicePool, StoreError};
use crate::sealing::{CredentialKeys, UnsealError};

const CREDENTIAL: &str = include_str!("../../../sql/statements/sign_ins/credential.sql");

/// What a source is asked with.
#[derive(Clone, Debug)]
pub struct SignInCredential {
    /// The provider's word.
    pub provider: String,
    /// Whose it is, in the provider's words.
    pub account: String,
    /// What the provider's `source` takes.
    pub secret: SourceSecret,
    /// When it ends by itself.
    pub ends_at: Option<DateTime<Utc>>,
}

/// Why there is none.
#[derive(Debug)]
pub enum CredentialError {
    /// It was revoked here.
    Revoked,
    /// It was never entered since an import; or there is no such sign-in.
    Absent,
    /// It does not open: its key is lost, or it is damaged.
    Sealed(UnsealError),
    /// The database.
    Store(StoreError),
}

/// Reads and opens the credential of a sign-in.
///
/// # Errors
/// Why there is none.
pub async fn credential(
    pool: &ServicePool,
    keys: &CredentialKeys,
    id: Uuid,
) -> Result<SignInCredential, CredentialError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(CREDENTIAL).await?;
    let row = client.query_opt(&statement, &[&OPERATOR, &id]).await?;
    let row = row.ok_or(CredentialError::Absent)?;
    let mut cells = Cells::of("sign_ins/credential", &row);
    let provider = cells.named("provider")?;
    let account = cells.named("account")?;
    let sealed: Option<&[u8]> = cells.named("sealed")?;
    let ends_at = cells.named("expires_at")?;
    let is_revoked: bool = cells.named("is_revoked")?;
    cells.end()?;
    if is_revoked {
        return Err(CredentialError::Revoked);
    }
    let sealed = sealed.ok_or(CredentialError::Absent)?;
    let opened = keys.open_sealed(id, sealed);
    let opened = opened.map_err(CredentialError::Sealed)?;
    Ok(SignInCredential {
        provider,
        account,
        secret: SourceSecret::new(opened.expose()),
        ends_at,
    })
}

impl From<StoreError> for CredentialError {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause)
    }
}

impl From<tokio_postgres::Error> for CredentialError {
    fn from(cause: tokio_postgres::Error) -> Self {
        Self::Store(cause.into())
    }
}

impl fmt::Display for CredentialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Revoked => f.write_str("the credential was revoked here; enter it again"),
            Self::Absent => f.write_str("there is no credential; enter it again"),
            Self::Sealed(cause) => write!(f, "{cause}; enter it again"),
            Self::Store(cause) => cause.fmt(f),
        }
    }
}

impl std::error::Error for CredentialError {}
