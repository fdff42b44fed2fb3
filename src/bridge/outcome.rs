//! Why the bridge could do nothing, whoever asked.

use std::fmt;

use crate::db::StoreError;

/// A failure of the service, not a refusal.
#[derive(Debug)]
pub(crate) enum BridgeError {
    Store(StoreError),
    NoRandomness,
    /// As many consents wait for their exchange as may.
    Full,
}

impl fmt::Display for BridgeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(cause) => cause.fmt(formatter),
            Self::NoRandomness => formatter.write_str("the system gives no randomness"),
            Self::Full => formatter.write_str("too many sign-ins are under way"),
        }
    }
}

impl std::error::Error for BridgeError {}

impl From<StoreError> for BridgeError {
    fn from(cause: StoreError) -> Self {
        Self::Store(cause)
    }
}
