//! The pool that agents' reads run on, as the role that may read the sectors and nothing else.

use std::fmt;

use deadpool_postgres::{Pool, PoolError};
use tokio_postgres::error::SqlState;

/// A connection that one call holds.
pub type Reader = deadpool_postgres::Client;

/// The readers' pool.
#[derive(Clone)]
pub struct Readers(Pool);

impl Readers {
    /// Reads through `pool`, whose connections must be the reader role's.
    pub const fn new(pool: Pool) -> Self {
        Self(pool)
    }

    /// A connection for one call.
    ///
    /// # Errors
    /// When the database cannot be reached, or all connections are busy for too long.
    pub async fn get(&self) -> Result<Reader, ReadError> {
        self.0.get().await.map_err(|error| match error {
            PoolError::Backend(error) => ReadError::from(error),
            _ => ReadError::Unavailable,
        })
    }
}

/// Why a read brought nothing. Holds no text of the database, which may quote a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The database cannot be reached now.
    Unavailable,
    /// It took longer than `statement_timeout`.
    TooSlow,
    /// The database refused the statement: our fault, or a value out of its range.
    Failed,
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ReadError::Unavailable => {
                "the database cannot be reached now: nothing is wrong with the call, try again later"
            }
            ReadError::TooSlow => {
                "the query took too long and was ended: narrow `where` to a shorter time, ask for fewer columns, or leave `count` out"
            }
            ReadError::Failed => {
                "the database refused the query: a value may be out of its range; simplify `where`"
            }
        })
    }
}

impl std::error::Error for ReadError {}

impl From<tokio_postgres::Error> for ReadError {
    fn from(error: tokio_postgres::Error) -> Self {
        let state = error.code();
        let class = state.map_or("", |state| state.code().get(..2).unwrap_or_default());
        match class {
            _ if state == Some(&SqlState::QUERY_CANCELED) => ReadError::TooSlow,
            // No state: the connection itself broke. 08: connection, 53: resources, 57: shut down, 58: system, 28: sign-in.
            "" if error.is_closed() || std::error::Error::source(&error).is_some() => {
                ReadError::Unavailable
            }
            "08" | "28" | "53" | "57" | "58" => ReadError::Unavailable,
            _ => {
                log::warn!(
                    "a read was refused, SQLSTATE {}",
                    state.map_or("none", SqlState::code)
                );
                ReadError::Failed
            }
        }
    }
}
