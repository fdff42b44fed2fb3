//! Converts errors of the database to the three errors of the actors' ports.

use sextant_actors::ports;

use crate::db::StoreError;

impl From<StoreError> for ports::PortError {
    fn from(error: StoreError) -> Self {
        let cause = error.to_string();
        match error {
            StoreError::Rejected { .. } => Self::Rejected(cause),
            StoreError::FateUnknown { .. } => Self::FateUnknown(cause),
            StoreError::Unavailable { .. }
            | StoreError::Busy
            | StoreError::Conflict
            | StoreError::Cancelled
            | StoreError::UnexpectedRows { .. }
            | StoreError::Fault { .. } => Self::Unavailable(cause),
        }
    }
}
