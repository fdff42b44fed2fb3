//! The errors of a statement, distinguished as far as a caller can act on them.
//!
//! It knows SQLSTATE. An error contains no value of a row and no parameter, only codes and names of tables, columns and
//! constraints.

use std::fmt;

use deadpool_postgres::{PoolError, TimeoutType};
use tokio_postgres::error::{DbError, SqlState};

use super::statement_error::StatementError;

/// A failure of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The database cannot be reached or does not accept connections; nothing was changed.
    Unavailable { cause: String },
    /// No connection became free in time, or another transaction held a lock for too long; nothing was changed.
    Busy,
    /// The connection was lost during the commit: the transaction may or may not have been committed.
    FateUnknown { transaction: &'static str },
    /// A serialization failure or a deadlock with another transaction; nothing was changed.
    Conflict,
    /// The statement was stopped by its time limit or a cancel request.
    Cancelled,
    /// The data was refused (SQLSTATE classes 21, 22, 23, 54 and P0: cardinality, values, constraints, limits, a trigger of the
    /// schema). A retry cannot help.
    Rejected {
        code: String,
        table: Option<String>,
        column: Option<String>,
        constraint: Option<String>,
    },
    /// A statement changed another number of rows than it must.
    UnexpectedRows {
        statement: &'static str,
        expected: u64,
        found: u64,
    },
    /// A defect of this program: a statement that does not fit the schema, a missing right, a row of another shape.
    Fault { cause: String },
}

impl StoreError {
    /// Whether the data was refused, so that a retry cannot help and other rows should go on without it.
    pub fn is_rejected(&self) -> bool {
        matches!(self, Self::Rejected { .. })
    }

    /// Whether nothing was changed and a retry may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::Busy | Self::Conflict)
    }

    fn from_server(error: &DbError) -> Self {
        let code = error.code();
        // A SQLSTATE has five characters; another is of no class that is known.
        match code.code().get(..2).unwrap_or_default() {
            _ if *code == SqlState::QUERY_CANCELED => Self::Cancelled,
            _ if *code == SqlState::T_R_SERIALIZATION_FAILURE
                || *code == SqlState::T_R_DEADLOCK_DETECTED =>
            {
                Self::Conflict
            }
            _ if *code == SqlState::LOCK_NOT_AVAILABLE => Self::Busy,
            // The server is read-only, for instance after a failover to a replica.
            _ if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Self::Unavailable {
                cause: described(error),
            },
            "08" | "53" | "57" => Self::Unavailable {
                cause: described(error),
            },
            "21" | "22" | "23" | "54" | "P0" => Self::Rejected {
                code: code.code().to_owned(),
                table: error.table().map(str::to_owned),
                column: error.column().map(str::to_owned),
                constraint: error.constraint().map(str::to_owned),
            },
            _ => Self::Fault {
                cause: described(error),
            },
        }
    }
}

/// The server's message. Outside the classes of refused data, messages name objects and not values.
fn described(error: &DbError) -> String {
    format!("{} (SQLSTATE {})", error.message(), error.code().code())
}

/// Whether the connection failed, and not the statement.
fn is_connection_lost(error: &tokio_postgres::Error) -> bool {
    use std::error::Error;
    error.is_closed()
        || error
            .source()
            .is_some_and(|source| source.is::<std::io::Error>())
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        if let Some(error) = error.as_db_error() {
            return Self::from_server(error);
        }
        let cause = error.to_string();
        if is_connection_lost(&error) {
            Self::Unavailable { cause }
        } else {
            Self::Fault { cause }
        }
    }
}

impl From<StatementError> for StoreError {
    fn from(error: StatementError) -> Self {
        match error {
            StatementError::Failed(source) => source.into(),
            shape @ StatementError::Shape { .. } => Self::Fault {
                cause: shape.to_string(),
            },
        }
    }
}

impl From<PoolError> for StoreError {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Timeout(TimeoutType::Wait) => Self::Busy,
            PoolError::Backend(error) => match Self::from(error) {
                Self::Fault { cause } => Self::Unavailable { cause },
                other => other,
            },
            other => Self::Unavailable {
                cause: other.to_string(),
            },
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable { cause } => write!(f, "the database is not reachable: {cause}"),
            Self::Busy => write!(
                f,
                "the database is busy: no connection or lock became free in time"
            ),
            Self::FateUnknown { transaction } => {
                write!(
                    f,
                    "the connection was lost while {transaction} was being committed; it may have happened"
                )
            }
            Self::Conflict => write!(f, "another transaction was in the way"),
            Self::Cancelled => write!(f, "the statement was cancelled or took too long"),
            Self::Rejected {
                code,
                table,
                column,
                constraint,
            } => write!(
                f,
                "the data was refused (SQLSTATE {code}, {})",
                [table, column, constraint]
                    .into_iter()
                    .flatten()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join(" ")
            ),
            Self::UnexpectedRows {
                statement,
                expected,
                found,
            } => {
                write!(f, "{statement} touched {found} rows instead of {expected}")
            }
            Self::Fault { cause } => write!(f, "a statement failed: {cause}"),
        }
    }
}

impl std::error::Error for StoreError {}
