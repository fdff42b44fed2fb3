//! Why a read failed, in words for the agent.

use std::fmt;

use crate::db::StoreError;

/// The text for an agent whose query took longer than `statement_timeout`.
pub const TOO_SLOW: &str = "the query took too long and was ended: narrow `where` to a shorter time, ask for fewer columns, or leave `count` out";

/// Why a read failed. Holds no text of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The database cannot be reached now.
    Unavailable,
    /// Other work in the database holds locks that the read needs.
    Busy,
    /// All connections for reads are in use.
    Crowded,
    /// It took longer than `statement_timeout`.
    TooSlow,
    /// The database refused the statement: a fault of this program, or a value out of its range.
    Failed,
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ReadError::Unavailable => {
                "the database cannot be reached now: nothing is wrong with the call, try again later"
            }
            ReadError::Busy => {
                "the database is busy with other work: nothing is wrong with the call, make it again in a minute"
            }
            ReadError::Crowded => {
                "too many queries are under way at once: nothing is wrong with the call, make it again when others have been answered; rows by their id, or a page in the table's own order, need not wait"
            }
            ReadError::TooSlow => TOO_SLOW,
            ReadError::Failed => {
                "the database refused the query: a value may be out of its range; simplify `where`"
            }
        })
    }
}

impl std::error::Error for ReadError {}

impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable { .. } => ReadError::Unavailable,
            StoreError::Busy | StoreError::Conflict => ReadError::Busy,
            StoreError::Cancelled => ReadError::TooSlow,
            refused => {
                log::warn!("a read was refused: {refused}");
                ReadError::Failed
            }
        }
    }
}

impl From<tokio_postgres::Error> for ReadError {
    fn from(error: tokio_postgres::Error) -> Self {
        StoreError::from(error).into()
    }
}
