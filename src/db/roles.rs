//! The role of agents' reads, and its rights.
//!
//! It knows which rights the reader has; the statement lists the sectors' schemas. It must not know the pools.

use std::fmt;

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use super::rows::destructure;
use super::statement_error::StatementError;

/// The role of agents' reads.
pub const READER_ROLE: &str = "sextant_reader";

/// Why the reader role is not ready.
#[derive(Debug)]
pub enum RoleError {
    /// The user of `DATABASE_URL` may not create the role, or not switch to it.
    NotAllowed {
        user: String,
    },
    Failed(StatementError),
}

impl RoleError {
    /// The SQL that an administrator has to run so that `user` may read as the role.
    pub fn remedy(user: &str) -> String {
        include_str!("../../sql/statements/reader/remedy.sql")
            .trim()
            .replace("{user}", &user.replace('"', "\"\""))
    }
}

impl From<tokio_postgres::Error> for RoleError {
    fn from(source: tokio_postgres::Error) -> Self {
        Self::Failed(source.into())
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

/// Creates the role if it is missing, and lets the current user switch to it.
///
/// Roles belong to the whole cluster, so that services of other databases may do the same at the same time.
///
/// # Errors
/// When the current user may not do so, or the database fails.
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
        Err(error) => Err(RoleError::from(error)),
    }
}

/// Gives the reader exactly its rights, whatever it had before.
///
/// # Errors
/// When the database fails.
pub async fn grant_reader(client: &Client) -> Result<(), RoleError> {
    client
        .batch_execute(include_str!("../../sql/statements/reader/grant.sql"))
        .await
        .map_err(RoleError::from)
}

async fn current_user(client: &Client) -> Result<String, RoleError> {
    let row = client
        .query_one(
            include_str!("../../sql/statements/server/current_user.sql"),
            &[],
        )
        .await
        .map_err(RoleError::from)?;
    let (user,) = destructure("server/current_user", &row).map_err(RoleError::Failed)?;
    Ok(user)
}
