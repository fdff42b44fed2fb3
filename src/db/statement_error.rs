//! The error of one statement of the start, before there is a pool: the server's, or a row of another shape.

use std::error::Error;
use std::fmt;

use tokio_postgres::error::{DbError, SqlState};

/// Why a statement brought no usable answer. It displays as the driver's error does, which the errors of the start quote.
#[derive(Debug)]
pub enum StatementError {
    /// The server refused the statement, the connection failed, or a column has another type.
    Failed(tokio_postgres::Error),
    /// A row has another shape than the program reads: a defect of this program.
    Shape {
        statement: &'static str,
        fault: String,
    },
}

impl StatementError {
    /// The server's own error, if it is one.
    pub(super) fn as_db_error(&self) -> Option<&DbError> {
        match self {
            Self::Failed(source) => source.as_db_error(),
            Self::Shape { .. } => None,
        }
    }

    /// The server's SQLSTATE, if the error is the server's.
    pub(super) fn code(&self) -> Option<&SqlState> {
        self.as_db_error().map(DbError::code)
    }
}

impl From<tokio_postgres::Error> for StatementError {
    fn from(source: tokio_postgres::Error) -> Self {
        Self::Failed(source)
    }
}

impl fmt::Display for StatementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(source) => source.fmt(f),
            Self::Shape { statement, fault } => write!(f, "{statement}: {fault}"),
        }
    }
}

impl Error for StatementError {
    // It displays as the driver's error, so what caused that one comes next.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Failed(source) => source.source(),
            Self::Shape { .. } => None,
        }
    }
}
