//! What is done about a token that somebody needs. Pure (providers rules 1 to 4, `docs/decisions.md`).

use chrono::{DateTime, TimeDelta, Utc};

use super::kept::{KeptTokens, RenewalTrouble, TroubleKind};
use super::token_failure::TokenFailure;
use crate::failure::{FailureKind, RetryAfter, SourceFailure};
use crate::limits::{
    OPAQUE_REFUSALS_MAX, OPAQUE_REFUSALS_SPAN, TOKEN_MARGIN, TOKEN_REPEAT_WAIT,
    UNANSWERED_ATTEMPTS_MAX,
};
use crate::secret::SourceSecret;

/// The next step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenewalStep {
    /// The kept token serves, until then.
    Use(DateTime<Utc>),
    /// New tokens are asked for.
    Renew(SourceSecret),
    /// Nothing can be had: for now, or until the person signs in again.
    Fail(SourceFailure),
}

/// How the tokens of a provider behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefreshUse {
    /// A refresh token may be sent again.
    Repeated,
    /// It serves once; sent again it may end the sign-in.
    Once,
}

impl KeptTokens {
    /// Decides what is done for one who needs a token; `refused` is one that a source did not take.
    pub fn next_step(
        &self,
        refused: Option<&SourceSecret>,
        refresh: RefreshUse,
        now: DateTime<Utc>,
    ) -> RenewalStep {
        let serves_until = self.valid_until - delta(TOKEN_MARGIN);
        let is_refused = refused == Some(&self.access_token);
        if let Some(trouble) = self
            .trouble
            .as_ref()
            .filter(|own| own.kind == TroubleKind::Ended)
        {
            return RenewalStep::Fail(ended(&trouble.message));
        }
        if now < serves_until && !is_refused {
            return RenewalStep::Use(serves_until);
        }
        let Some(refresh_token) = &self.refresh_token else {
            return RenewalStep::Fail(ended("the provider gave no lasting permission"));
        };
        match self
            .trouble
            .as_ref()
            .and_then(|own| rest(own, refresh, now))
        {
            Some(failure) => RenewalStep::Fail(failure),
            None => RenewalStep::Renew(refresh_token.clone()),
        }
    }

    /// What is kept before a request for tokens is sent: cut off in between, it counts as one whose answer was lost.
    #[must_use]
    pub fn about_to_renew(&self, now: DateTime<Utc>) -> Self {
        self.troubled(TroubleKind::Unanswered, "", now)
    }

    /// What is kept after a request for tokens that `before` was kept ahead of.
    pub fn after_failure(before: &Self, failure: &TokenFailure, now: DateTime<Utc>) -> Self {
        let message = &failure.failure().message;
        match failure {
            TokenFailure::Ended(_) => before.troubled(TroubleKind::Ended, message, now),
            TokenFailure::Opaque(_) => before.troubled(TroubleKind::Opaque, message, now),
            TokenFailure::Unanswered(_) => before.about_to_renew(now),
            TokenFailure::Passing(_) => before.clone(),
        }
    }
}

/// Why no request may be sent now, after trouble.
fn rest(
    trouble: &RenewalTrouble,
    refresh: RefreshUse,
    now: DateTime<Utc>,
) -> Option<SourceFailure> {
    let wait = match (trouble.kind, refresh) {
        (TroubleKind::Ended, _) => return Some(ended(&trouble.message)),
        (TroubleKind::Unanswered, RefreshUse::Repeated) => return None,
        (TroubleKind::Unanswered, RefreshUse::Once) => {
            if trouble.count >= UNANSWERED_ATTEMPTS_MAX {
                let message =
                    "the provider's answer was lost when its token, which serves once, was renewed";
                return Some(ended(message));
            }
            TOKEN_REPEAT_WAIT
        }
        (TroubleKind::Opaque, _) => {
            let is_lasting = now - trouble.since >= delta(OPAQUE_REFUSALS_SPAN);
            if trouble.count >= OPAQUE_REFUSALS_MAX && is_lasting {
                return Some(ended(&trouble.message));
            }
            OPAQUE_REFUSALS_SPAN / OPAQUE_REFUSALS_MAX
        }
    };
    let again = trouble.at + delta(wait);
    (now < again).then(|| SourceFailure {
        retry_after: Some(RetryAfter::At(again.into())),
        ..SourceFailure::new(FailureKind::Unavailable, resting(trouble))
    })
}

fn resting(trouble: &RenewalTrouble) -> String {
    match trouble.message.as_str() {
        "" => "the provider did not answer when its token was renewed".to_owned(),
        message => message.to_owned(),
    }
}

fn ended(message: &str) -> SourceFailure {
    SourceFailure::new(FailureKind::SignInEnded, message)
}

fn delta(wait: std::time::Duration) -> TimeDelta {
    TimeDelta::from_std(wait).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests;
