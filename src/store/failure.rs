//! What a failure of the database means to an actor, in the three words that the ports know.

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
