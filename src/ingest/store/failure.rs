//! Why a push could not be stored.

use std::fmt;

use crate::db::{StoreError, TxFailure};
use crate::ingest::problem::{RecordProblem, Unreadable};

/// Why nothing was stored.
#[derive(Debug)]
pub enum StoreFailure {
    Store(StoreError),
    Spool(Unreadable),
    /// Records conflict with what is stored.
    Refused(Vec<RecordProblem>),
    /// The connection was removed while the push was under way.
    Removed,
}

impl From<StoreError> for StoreFailure {
    fn from(cause: StoreError) -> Self {
        StoreFailure::Store(cause)
    }
}

impl From<tokio_postgres::Error> for StoreFailure {
    fn from(cause: tokio_postgres::Error) -> Self {
        StoreFailure::Store(cause.into())
    }
}

impl TxFailure for StoreFailure {
    fn as_store(&self) -> Option<&StoreError> {
        match self {
            StoreFailure::Store(cause) => Some(cause),
            StoreFailure::Spool(_) | StoreFailure::Refused(_) | StoreFailure::Removed => None,
        }
    }
}

impl fmt::Display for StoreFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreFailure::Store(cause) => cause.fmt(formatter),
            StoreFailure::Spool(cause) => cause.fmt(formatter),
            StoreFailure::Refused(_) => {
                formatter.write_str("records do not go beside what is stored")
            }
            StoreFailure::Removed => formatter.write_str("the connection has been removed"),
        }
    }
}

impl std::error::Error for StoreFailure {}
