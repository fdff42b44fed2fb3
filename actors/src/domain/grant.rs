use std::fmt;

use chrono::{DateTime, Utc};

use super::{AgentName, Caller, Digest, OPERATOR, SectorSet};

/// What one agent key may do: sectors and a deadline, and nothing narrower (r002).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// One grant per name.
    pub agent: AgentName,
    /// The hash of the key.
    pub key_digest: Digest,
    /// As stored, unknown names and a lone `*` included (r062).
    pub sectors: Vec<String>,
    /// When the key was made or last rotated.
    pub created_at: DateTime<Utc>,
    /// When the key was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
    /// The deadline; `None` never expires.
    pub expires_at: Option<DateTime<Utc>>,
    /// The number of edits since it was made; the store counts them.
    pub edition: i32,
}

impl Grant {
    /// The sectors that the stored list resolves to.
    pub fn granted(&self) -> SectorSet {
        SectorSet::resolve(&self.sectors)
    }

    /// The caller that its agent is.
    pub fn caller(&self) -> Caller {
        Caller {
            user: OPERATOR,
            agent: Some(self.agent.clone()),
            sectors: self.granted(),
            expires_at: self.expires_at,
        }
    }

    /// Whether the key may be used at `now`.
    ///
    /// # Errors
    /// The reason why it may not.
    pub fn check(&self, now: DateTime<Utc>) -> Result<(), KeyRefusal> {
        if self.revoked_at.is_some() {
            Err(KeyRefusal::Revoked)
        } else if self.expires_at.is_some_and(|deadline| deadline <= now) {
            Err(KeyRefusal::Expired)
        } else {
            Ok(())
        }
    }
}

/// Why a presented key is refused; the texts stand in the audit log's `deny_reason` (r030).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRefusal {
    /// No such key, or none at all.
    UnknownAgent,
    /// The key was revoked.
    Revoked,
    /// The key's deadline has passed.
    Expired,
}

impl KeyRefusal {
    /// The text for `deny_reason`.
    pub const fn reason(self) -> &'static str {
        match self {
            KeyRefusal::UnknownAgent => "unknown agent",
            KeyRefusal::Revoked => "revoked",
            KeyRefusal::Expired => "expired",
        }
    }
}

impl fmt::Display for KeyRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.reason())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r030_the_reasons_are_the_words_of_the_record() {
        let reasons = [
            KeyRefusal::UnknownAgent,
            KeyRefusal::Revoked,
            KeyRefusal::Expired,
        ]
        .map(KeyRefusal::reason);
        assert_eq!(reasons, ["unknown agent", "revoked", "expired"]);
    }
}
