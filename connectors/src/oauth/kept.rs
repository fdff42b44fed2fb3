//! What a sign-in keeps of its tokens between two renewals: sealed as one text.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::answer::IssuedTokens;
use crate::failure::{FailureKind, SourceFailure};
use crate::limits::TOKEN_LIFE_MAX;
use crate::secret::SourceSecret;

/// Tokens, and what is known of the last attempt to renew them. Its `Debug` shows no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTokens {
    /// What requests carry.
    pub access_token: SourceSecret,
    /// Until when the provider takes it.
    pub valid_until: DateTime<Utc>,
    /// What the next tokens are had with.
    pub refresh_token: Option<SourceSecret>,
    /// What the last attempt came to, unless it brought tokens.
    pub trouble: Option<RenewalTrouble>,
}

/// The same as it is written, before it is sealed as a whole and nowhere else.
#[derive(Serialize, Deserialize)]
struct WrittenTokens {
    access_token: String,
    valid_until: DateTime<Utc>,
    refresh_token: Option<String>,
    trouble: Option<RenewalTrouble>,
}

/// An attempt to renew that brought no tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenewalTrouble {
    /// What became of it.
    pub kind: TroubleKind,
    /// When the first of these attempts was made.
    pub since: DateTime<Utc>,
    /// When the last was made.
    pub at: DateTime<Utc>,
    /// How many there were, without tokens in between.
    pub count: u32,
    /// What the provider said, fit to be shown.
    pub message: String,
}

/// What became of an attempt to renew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TroubleKind {
    /// It was sent, or was about to be: no answer to it is known.
    Unanswered,
    /// The provider refused it, and not in a way that says for good.
    Opaque,
    /// The provider has ended the sign-in.
    Ended,
}

impl KeptTokens {
    /// What was issued for the code of a consent.
    pub fn of_consent(issued: &IssuedTokens, now: DateTime<Utc>) -> Self {
        Self {
            access_token: issued.access_token.clone(),
            valid_until: valid_until(issued, now),
            refresh_token: issued.refresh_token.clone(),
            trouble: None,
        }
    }

    /// The same after a renewal. Without a new refresh token the old one stays (RFC 6749 §6).
    pub fn renewed(&self, issued: &IssuedTokens, now: DateTime<Utc>) -> Self {
        Self {
            refresh_token: issued
                .refresh_token
                .clone()
                .or_else(|| self.refresh_token.clone()),
            ..Self::of_consent(issued, now)
        }
    }

    /// The same after another attempt without tokens, or before one whose answer might be lost.
    pub fn troubled(&self, kind: TroubleKind, message: &str, now: DateTime<Utc>) -> Self {
        let before = self.trouble.as_ref().filter(|before| before.kind == kind);
        Self {
            trouble: Some(RenewalTrouble {
                kind,
                since: before.map_or(now, |before| before.since),
                at: now,
                count: before.map_or(0, |before| before.count).saturating_add(1),
                message: message.to_owned(),
            }),
            ..self.clone()
        }
    }

    /// As it is sealed.
    ///
    /// # Errors
    /// Never, as far as anybody knows: an instant and texts can be written.
    pub fn to_sealed(&self) -> Result<SourceSecret, SourceFailure> {
        let text = serde_json::to_string(&WrittenTokens::of(self)).map_err(|_| damaged())?;
        Ok(SourceSecret::new(text))
    }

    /// Reads what was sealed. What it says is in no error.
    ///
    /// # Errors
    /// [`FailureKind::CredentialMissing`] if it is none.
    pub fn of_sealed(sealed: &SourceSecret) -> Result<Self, SourceFailure> {
        let written: Result<WrittenTokens, _> = serde_json::from_str(sealed.reveal());
        written.map(WrittenTokens::into_kept).map_err(|_| damaged())
    }
}

impl WrittenTokens {
    fn of(kept: &KeptTokens) -> Self {
        Self {
            access_token: kept.access_token.reveal().to_owned(),
            valid_until: kept.valid_until,
            refresh_token: kept
                .refresh_token
                .as_ref()
                .map(|own| own.reveal().to_owned()),
            trouble: kept.trouble.clone(),
        }
    }

    fn into_kept(self) -> KeptTokens {
        KeptTokens {
            access_token: SourceSecret::new(self.access_token),
            valid_until: self.valid_until,
            refresh_token: self.refresh_token.map(SourceSecret::new),
            trouble: self.trouble,
        }
    }
}

fn valid_until(issued: &IssuedTokens, now: DateTime<Utc>) -> DateTime<Utc> {
    let life = issued.life.min(TOKEN_LIFE_MAX);
    now + TimeDelta::from_std(life).unwrap_or(TimeDelta::zero())
}

fn damaged() -> SourceFailure {
    let message = "the stored sign-in cannot be read; sign in again";
    SourceFailure::new(FailureKind::CredentialMissing, message)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn issued(refresh_token: Option<&str>) -> IssuedTokens {
        IssuedTokens::parse(
            serde_json::json!({"access_token": "a2", "expires_in": 60, "refresh_token": refresh_token})
                .to_string()
                .as_bytes(),
        )
        .unwrap()
    }

    #[test]
    fn a_renewal_without_a_refresh_token_keeps_the_old_one() {
        let now = DateTime::UNIX_EPOCH;
        let kept = KeptTokens::of_consent(&issued(Some("r1")), now);
        let troubled = kept.troubled(TroubleKind::Opaque, "no", now);
        for (brought, expected) in [(None, "r1"), (Some("r2"), "r2")] {
            let renewed = troubled.renewed(&issued(brought), now);
            assert_eq!(renewed.refresh_token.unwrap().reveal(), expected);
            assert_eq!(renewed.trouble, None);
        }
    }

    #[test]
    fn what_is_sealed_is_read_again_and_shown_nowhere() {
        let kept = KeptTokens::of_consent(&issued(Some("seeded")), DateTime::UNIX_EPOCH);
        let sealed = kept.to_sealed().unwrap();
        assert_eq!(KeptTokens::of_sealed(&sealed), Ok(kept.clone()));
        assert!(!format!("{kept:?}{sealed:?}").contains("seeded"));
        let none = KeptTokens::of_sealed(&SourceSecret::new("seeded")).unwrap_err();
        assert!(!none.message.contains("seeded"));
    }

    #[test]
    fn no_life_reaches_beyond_what_a_calendar_holds() {
        let answer = format!(r#"{{"access_token":"a","expires_in":{}}}"#, u64::MAX);
        let issued = IssuedTokens::parse(answer.as_bytes()).unwrap();
        let kept = KeptTokens::of_consent(&issued, DateTime::UNIX_EPOCH);
        assert_eq!(kept.valid_until, DateTime::UNIX_EPOCH + TOKEN_LIFE_MAX);
    }

    #[test]
    fn attempts_are_counted_as_long_as_they_fail_alike() {
        let at = |seconds| DateTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let kept = KeptTokens::of_consent(&issued(None), at(0));
        let twice = kept.troubled(TroubleKind::Opaque, "a", at(1)).troubled(
            TroubleKind::Opaque,
            "b",
            at(2),
        );
        let trouble = twice.trouble.clone().unwrap();
        assert_eq!(
            (trouble.since, trouble.at, trouble.count),
            (at(1), at(2), 2)
        );
        let other = twice.troubled(TroubleKind::Unanswered, "", at(3));
        assert_eq!(other.trouble.unwrap().count, 1);
    }
}
