//! What the actor of a sign-in remembers of the tokens it was given and refused.

use chrono::{DateTime, Utc};

use super::asker::TokenOrRefusal;
use super::obtaining::Obtained;
use crate::ports::{AccessToken, IssuedToken, TokenRefusal};

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct Memory {
    token: Option<IssuedToken>,
    /// The one that a source did not take, until there is another: none who asks meanwhile is to be given it.
    refused: Option<AccessToken>,
    /// The source is not asked before.
    rest: Option<(DateTime<Utc>, TokenRefusal)>,
}

impl Memory {
    /// What can be answered now to somebody whose source did not take `refused`.
    pub(super) fn answer(
        &self,
        refused: Option<&AccessToken>,
        now: DateTime<Utc>,
    ) -> Option<TokenOrRefusal> {
        let usable = |issued: &&IssuedToken| now < issued.usable_until;
        let token = self.token.as_ref().filter(usable);
        if let Some(other) = token.filter(|issued| refused != Some(&issued.token)) {
            return Some(Ok(other.token.clone()));
        }
        let rest = self.rest.as_ref().filter(|(until, _)| now < *until);
        rest.map(|(_, refusal)| Err(refusal.clone()))
    }

    /// Another token is to be obtained; the one that must not be answered again.
    pub(super) fn give_up_token(&mut self, refused: Option<AccessToken>) -> Option<AccessToken> {
        self.token = None;
        self.refused = refused.or(self.refused.take());
        self.refused.clone()
    }

    /// What was obtained.
    pub(super) fn note(&mut self, obtained: &Obtained) {
        self.rest = None;
        match obtained {
            Ok(issued) => {
                self.token = Some(issued.clone());
                self.refused = None;
            }
            Err(refusal) => {
                if let TokenRefusal::Later { retry_at, .. } = refusal {
                    self.rest = retry_at.map(|until| (until, refusal.clone()));
                }
            }
        }
    }

    /// Of a restarted actor: what a source does not take, and when it wants to be asked, hold all the same.
    pub(super) fn restart(&mut self) {
        self.token = None;
    }
}
