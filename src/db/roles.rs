//! The role agents' reads run as, and what it may see.
//!
//! Knows which rights the reader has; the sectors' schemas are listed in the statement. Must not know connections'
//! pools.

use std::fmt;

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

/// The role of agents' reads.
pub const READER_ROLE: &str = "sextant_reader";

/// Why the reader role is not ready.
#[derive(Debug)]
pub enum RoleError {
    /// The user of `DATABASE_URL` may not make the role, or put it on.
    NotAllowed {
        user: String,
    },
    Failed(tokio_postgres::Error),
}

impl RoleError {
    /// What somebody with the right to make roles has to run.
    pub fn remedy(user: &str) -> String {
        include_str!("../../sql/statements/reader/remedy.sql")
            .trim()
            .replace("{user}", &user.replace('"', "\"\""))
    }
}

impl fmt::Display for RoleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed { user } => write!(
                f,
                "the database user {user} may not make the role agents read as; let an administrator run: {} \
                 or set reader_role = false to read as {user}, without that second wall",
                Self::remedy(user)
            ),
            Self::Failed(source) => {
                write!(f, "the role agents read as could not be prepared: {source}")
            }
        }
    }
}

impl std::error::Error for RoleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed(source) => Some(source),
            Self::NotAllowed { .. } => None,
        }
    }
}

/// Makes the role where it is missing and lets the current user put it on.
///
/// Roles belong to the whole cluster, so services of other databases may be doing the same.
pub async fn ensure_reader(client: &Client) -> Result<(), RoleError> {
    match client
        .batch_execute(include_str!("../../sql/statements/reader/ensure_role.sql"))
        .await
    {
        Ok(()) => Ok(()),
        Err(error) if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            Err(RoleError::NotAllowed {
                user: current_user(client).await?,
            })
        }
        Err(error) => Err(RoleError::Failed(error)),
    }
}

/// Gives the reader exactly its rights, whatever it had before.
pub async fn grant_reader(client: &Client) -> Result<(), RoleError> {
    client
        .batch_execute(include_str!("../../sql/statements/reader/grant.sql"))
        .await
        .map_err(RoleError::Failed)
}

async fn current_user(client: &Client) -> Result<String, RoleError> {
    let row = client
        .query_one(
            include_str!("../../sql/statements/server/current_user.sql"),
            &[],
        )
        .await
        .map_err(RoleError::Failed)?;
    row.try_get(0).map_err(RoleError::Failed)
}
