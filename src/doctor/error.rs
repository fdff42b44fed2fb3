use std::fmt;

use sextant_actors::grants::EditError;
use sextant_actors::random::Unavailable;

/// Why nothing was checked.
#[derive(Debug)]
pub(crate) enum DoctorError {
    /// There is no public address.
    NoAddress,
    /// Another check is under way.
    Busy,
    NoRandomness(Unavailable),
    /// The agent to sign in as cannot be made, or not revoked.
    Grants(EditError),
}

impl fmt::Display for DoctorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAddress => formatter.write_str(
                "there is no public address to check: turn remote access on in the Console, in Settings > Remote access",
            ),
            Self::Busy => formatter.write_str("a check is under way: wait for it"),
            Self::NoRandomness(cause) => cause.fmt(formatter),
            Self::Grants(cause) => cause.fmt(formatter),
        }
    }
}

impl std::error::Error for DoctorError {}

impl From<Unavailable> for DoctorError {
    fn from(cause: Unavailable) -> Self {
        Self::NoRandomness(cause)
    }
}

impl From<EditError> for DoctorError {
    fn from(cause: EditError) -> Self {
        Self::Grants(cause)
    }
}
