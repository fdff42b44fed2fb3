//! Why a database could not be opened, with what the operator can do.

use std::fmt;

use crate::db::embedded::ClusterError;
use crate::db::error::StoreError;
use crate::db::lock::LockError;
use crate::db::migrate::MigrateError;
use crate::db::roles::RoleError;
use crate::db::suitability::SuitabilityError;

/// Why a database could not be opened or stopped. Every message says what to do.
#[derive(Debug)]
pub enum DatabaseError {
    Cluster(ClusterError),
    /// `DATABASE_URL` is not the URL of a database. The text is not repeated: it may contain a password.
    BadUrl,
    /// The connection failed, or the login did.
    Unreachable(tokio_postgres::Error),
    /// The server accepted the connection but was not ready in time.
    Silent {
        waited_s: u64,
    },
    Unsuitable(SuitabilityError),
    Lock(LockError),
    Migrate(MigrateError),
    Role(RoleError),
    Pool(StoreError),
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cluster(error) => error.fmt(f),
            Self::BadUrl => write!(
                f,
                "DATABASE_URL is not of the form postgres://user:password@host:port/database?sslmode=require; correct it, or unset it \
                 for a private database"
            ),
            Self::Unreachable(error) => {
                write!(f, "the database could not be entered: {error}")?;
                if let Some(cause) = std::error::Error::source(error) {
                    write!(f, ": {cause}")?;
                }
                write!(f, "; check that it runs and what DATABASE_URL says")
            }
            Self::Silent { waited_s } => write!(
                f,
                "the database was not ready to talk within {waited_s} s; check what DATABASE_URL leads to"
            ),
            Self::Unsuitable(error) => error.fmt(f),
            Self::Lock(error) => error.fmt(f),
            Self::Migrate(error) => error.fmt(f),
            Self::Role(error) => error.fmt(f),
            Self::Pool(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DatabaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Cluster(error) => Some(error),
            Self::BadUrl | Self::Silent { .. } => None,
            Self::Unreachable(error) => Some(error),
            Self::Unsuitable(error) => Some(error),
            Self::Lock(error) => Some(error),
            Self::Migrate(error) => Some(error),
            Self::Role(error) => Some(error),
            Self::Pool(error) => Some(error),
        }
    }
}
