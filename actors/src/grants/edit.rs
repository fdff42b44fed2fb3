use std::fmt;

use crate::domain::Grant;

/// What an edit did.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The grant as it is now; `None` when removed.
    pub grant: Option<Grant>,
    /// There was a grant under this name before.
    pub replaced: bool,
    /// How many live sessions of the agent it ended.
    pub sessions_ended: usize,
}

/// What the revocation of every agent did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllRevoked {
    /// How many agents were not revoked before.
    pub agents: usize,
    /// How many live sessions of theirs it ended.
    pub sessions_ended: usize,
}

/// Why an edit did nothing, or may have done something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditError {
    /// No grant under this name.
    NotFound,
    /// The deadline has passed: the key cannot be rotated.
    DeadlinePassed,
    /// The database cannot be reached; nothing was changed.
    Unavailable,
    /// The commit's answer was lost; the agent is refused until its row has been read again.
    FateUnknown,
}

impl fmt::Display for EditError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            EditError::NotFound => "no agent has this name",
            EditError::DeadlinePassed => "the key's deadline has passed; set a new deadline first",
            EditError::Unavailable => "the database cannot be reached; nothing was changed",
            EditError::FateUnknown => {
                "the database's answer was lost, so that nobody knows whether the change was made: the agent is refused until its \
                 grant has been read again; look at it then, and repeat the change if it is not there (a key that was not shown \
                 is lost in any case: rotate it)"
            }
        })
    }
}

impl std::error::Error for EditError {}
