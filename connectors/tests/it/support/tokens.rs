//! The access tokens of a sign-in, one after the other.

use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use sextant_connectors::bearer::AccessTokens;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::secret::SourceSecret;

/// The present one, and the one that a renewal gives; without it the sign-in has ended.
pub struct Tokens(Mutex<State>);

struct State {
    present: String,
    next: Option<String>,
    renewals: usize,
}

impl Tokens {
    pub fn new(present: &str) -> Self {
        Self(Mutex::new(State {
            present: present.to_owned(),
            next: None,
            renewals: 0,
        }))
    }

    /// The next renewal gives this one.
    pub fn give_next(&self, token: &str) {
        self.state().next = Some(token.to_owned());
    }

    /// How often the present one was refused.
    pub fn renewals(&self) -> usize {
        self.state().renewals
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

#[async_trait]
impl AccessTokens for Tokens {
    async fn access_token(&self) -> Result<SourceSecret, SourceFailure> {
        Ok(SourceSecret::new(&self.state().present))
    }

    async fn replace(&self, refused: &SourceSecret) -> Result<SourceSecret, SourceFailure> {
        let mut state = self.state();
        assert_eq!(refused.reveal(), state.present);
        state.renewals += 1;
        let Some(next) = state.next.take() else {
            let message = "the provider has ended this sign-in";
            return Err(SourceFailure::new(FailureKind::SignInEnded, message));
        };
        state.present.clone_from(&next);
        Ok(SourceSecret::new(next))
    }
}
