//! From where a mailbox goes on.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::round::Pass;

/// What is stored with each page of a mailbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MailPosition {
    pub(super) uid_validity: u32,
    /// The state all of which is told; none before the first pass has ended.
    pub(super) told: Option<MailboxState>,
    /// A pass that has not ended.
    pub(super) pass: Option<MailPass>,
}

/// A mailbox at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MailboxState {
    pub(super) uid_next: u32,
    /// How many mails are in it: UIDs only grow, so that their number and the new ones' tell whether any has gone.
    pub(super) exists: u32,
    /// None where the server keeps none.
    pub(super) highest_modseq: Option<u64>,
    /// The window that has been read; `None` for everything.
    pub(super) since: Option<DateTime<Utc>>,
}

/// A pass over everything, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MailPass {
    pub(super) begun_at: DateTime<Utc>,
    /// Which mails are named.
    pub(super) since: Option<DateTime<Utc>>,
    /// Those of an earlier UIDVALIDITY are gone, however old.
    pub(super) judges_all: bool,
    /// What is stored is only named: changes of flags are told otherwise.
    pub(super) is_light: bool,
    /// Mails with lower UIDs are still to be named.
    pub(super) below: Option<u32>,
    /// What is told with its last page.
    pub(super) then: MailboxState,
}

impl MailPosition {
    /// Reads a stored position; `None` if there is none, or one that means nothing here.
    pub(super) fn of_value(value: Option<&Value>) -> Option<Self> {
        serde_json::from_value(value?.clone()).ok()
    }

    pub(super) fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl MailPass {
    /// What a page says of it.
    pub(super) const fn of_page(&self, is_complete: bool) -> Pass {
        Pass {
            begun_at: self.begun_at,
            since: if self.judges_all { None } else { self.since },
            is_complete,
        }
    }
}

/// Whether a window reaches further back than another.
pub(super) fn is_wider(window: Option<DateTime<Utc>>, other: Option<DateTime<Utc>>) -> bool {
    match (window, other) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(window), Some(other)) => window < other,
    }
}
