//! The table `sign_ins`: one credential each, and the connections that live by it (r129).
//!
//! ```text
//! row.rs          a sign-in without its secret       credential.rs  its secret, opened for who asks the source
//! establish.rs    made, or renewed: with its connections             revoke.rs      ended; what waits for a person then
//! unused.rs       the last connection takes its sign-in with it      rotation.rs    all secrets under another key
//! claimed.rs      what is given once, kept before it is tried
//! consent.rs      what a person gave in a browser becomes one        tokens.rs      what is kept of its tokens, and what replaces it
//! ```
//!
//! Whoever changes connections here calls `ConnectionsHandle::reload` afterwards. Who stores a secret holds a turn of the keys until it
//! is committed.

mod claimed;
mod consent;
mod credential;
mod establish;
mod revoke;
mod rotation;
mod row;
mod tokens;
mod unused;

use deadpool_postgres::GenericClient;
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use crate::db::{ServicePool, StoreError};

pub use self::claimed::keep_claimed;
pub use self::consent::{FinishedConsent, finish, keep_unfinished};
pub use self::credential::{CredentialError, SignInCredential, credential};
pub use self::establish::{NewPulled, NewSignIn, SignInStoreError, establish, renew};
pub use self::revoke::revoke;
pub use self::rotation::{Resealed, count_unopened, reseal};
pub use self::row::{SignIn, SignInConnection};
pub use self::tokens::{StoredTokens, replace_tokens, tokens};
pub(super) use self::unused::remove_if_unused;

const READ: &str = include_str!("../../sql/statements/sign_ins/read.sql");
const LIST: &str = include_str!("../../sql/statements/sign_ins/list.sql");
const CONNECTIONS: &str = include_str!("../../sql/statements/sign_ins/connections.sql");

/// The sign-in `id` with its connections.
///
/// # Errors
/// When the database cannot be read.
pub async fn read(pool: &ServicePool, id: Uuid) -> Result<Option<SignIn>, StoreError> {
    read_within(&pool.get().await?, id).await
}

/// All sign-ins, the oldest first, without their connections.
///
/// # Errors
/// When the database cannot be read.
pub async fn list(pool: &ServicePool) -> Result<Vec<SignIn>, StoreError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(LIST).await?;
    let rows = client.query(&statement, &[&OPERATOR]).await?;
    rows.iter().map(SignIn::of).collect()
}

/// All sign-ins, the oldest first, with their connections.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn list_whole(pool: &ServicePool) -> Result<Vec<SignIn>, StoreError> {
    let mut all = list(pool).await?;
    let client = pool.get().await?;
    for sign_in in &mut all {
        sign_in.connections = connections(&client, sign_in.id).await?;
    }
    Ok(all)
}

async fn read_within(client: &impl GenericClient, id: Uuid) -> Result<Option<SignIn>, StoreError> {
    let statement = client.prepare_cached(READ).await?;
    let row = client.query_opt(&statement, &[&OPERATOR, &id]).await?;
    let Some(mut sign_in) = row.as_ref().map(SignIn::of).transpose()? else {
        return Ok(None);
    };
    sign_in.connections = connections(client, id).await?;
    Ok(Some(sign_in))
}

async fn connections(
    client: &impl GenericClient,
    id: Uuid,
) -> Result<Vec<SignInConnection>, StoreError> {
    let statement = client.prepare_cached(CONNECTIONS).await?;
    let rows = client.query(&statement, &[&OPERATOR, &id]).await?;
    rows.iter().map(SignInConnection::of).collect()
}
