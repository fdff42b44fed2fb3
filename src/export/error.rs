//! Why an export is not whole.

use std::fmt;
use std::io;

use crate::db::StoreError;

/// What cut an export short.
#[derive(Debug)]
pub enum ExportError {
    Store(StoreError),
    /// The archive could not be written.
    Archive(io::Error),
    /// The client closed the connection.
    Gone,
    /// Its reader took nothing for as long as a reader may.
    Stalled,
}

impl fmt::Display for ExportError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(cause) => cause.fmt(formatter),
            Self::Archive(cause) => write!(formatter, "the archive cannot be written: {cause}"),
            Self::Gone => formatter.write_str("its reader has gone"),
            Self::Stalled => formatter.write_str("its reader took nothing for too long"),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<StoreError> for ExportError {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause)
    }
}

impl From<io::Error> for ExportError {
    fn from(cause: io::Error) -> Self {
        Self::Archive(cause)
    }
}
