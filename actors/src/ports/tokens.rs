//! Access tokens of sign-ins, and whoever renews them.

use std::fmt;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{PortFuture, SourceProblem};

/// Where access tokens come from. One actor a sign-in calls it, for one token at a time.
pub trait SignInTokens: Send + Sync + 'static {
    /// A token that is valid: the kept one, or one that was renewed and committed before it is answered. `refused` is the one that a
    /// source did not take, so the kept one must not be answered again if it is that.
    ///
    /// What has begun goes on when nobody waits for it any more, and when the actor is restarted, because what it renewed must be
    /// committed. It is dropped only when it has not ended within a quarter of an hour, or by the end of the process: then it was as in
    /// a crash, and what was under way must be known by what is stored.
    fn obtain(
        &self,
        sign_in: Uuid,
        refused: Option<AccessToken>,
    ) -> PortFuture<Result<IssuedToken, TokenRefusal>>;
}

/// The token that a request to a source carries. Its `Debug` says only that there is one; it has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// Takes the text of a token.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the request that carries it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AccessToken")
    }
}

/// A token, and until when it may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedToken {
    /// The token.
    pub token: AccessToken,
    /// From then on another one is to be obtained: well before the source stops taking this one.
    pub usable_until: DateTime<Utc>,
}

/// Why there is no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenRefusal {
    /// The consent has ended: only the person can go on, by signing in again.
    Ended(SourceProblem),
    /// There is no credential that opens: none is stored, or its key is not here.
    Missing(SourceProblem),
    /// The source does not renew it now.
    Later {
        /// Why.
        problem: SourceProblem,
        /// It is not asked before, whoever needs a token.
        retry_at: Option<DateTime<Utc>>,
    },
    /// The database is away: no trouble of the source, and no verdict on it.
    StoreAway,
    /// Nobody knows: the actor was restarted meanwhile, is gone, or gave no answer in time.
    Lost,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_debug_shows_a_token() {
        let issued = IssuedToken {
            token: AccessToken::new("ya29.secret"),
            usable_until: DateTime::UNIX_EPOCH,
        };
        assert!(!format!("{issued:?}").contains("secret"));
        assert_eq!(issued.token.reveal(), "ya29.secret");
    }
}
