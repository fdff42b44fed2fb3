//! From tokens that are kept to a sign-in with its connections: whose it is, is asked first. When it cannot be, they stay without
//! connections, and may be completed later.

use std::sync::Arc;

use sextant_actors::random;
use sextant_connectors::bearer::AccessTokens as _;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::oauth::{IssuedTokens, Scopes};
use sextant_connectors::provider::{ConsentedAccount, ConsentedProvider};
use tokio::time::timeout;
use uuid::Uuid;

use super::outcome::{self, ConsentOutcome, EndedConsent, of_outcome};
use super::{SignInError, SignIns, TRIAL_DEADLINE, new_connection, trial};
use crate::store::sign_ins::{self, FinishedConsent, SignIn};
use crate::store::store_away::StoreAway;
use crate::tokens::TokensOf;

/// Tokens that are kept, and whose account is not known yet.
pub(super) struct UnfinishedConsent<'a> {
    /// What the outcome is found by.
    pub attempt: Uuid,
    pub id: Uuid,
    pub granted: &'a Scopes,
}

impl UnfinishedConsent<'_> {
    /// It stays, and may be tried again.
    fn kept(&self, provider: &dyn ConsentedProvider, failure: &SourceFailure) -> EndedConsent {
        let title = provider.title();
        let message = format!(
            "Signed in, but {title} could not be asked whose account it is: {}. Nothing is connected yet; the sign-in is kept. Try again.",
            failure.message
        );
        self.failed(provider, &message)
    }

    fn failed(&self, provider: &dyn ConsentedProvider, message: &str) -> EndedConsent {
        of_outcome(ConsentOutcome {
            sign_in: Some(self.id),
            ..ConsentOutcome::failed(self.attempt, provider.id(), message)
        })
    }
}

/// A sign-in that was tried again.
pub(crate) enum CompletedSignIn {
    Consented(EndedConsent),
    Claimed(SignIn),
}

impl SignIns {
    /// Tries again to complete a sign-in whose account could not be asked, or to which no sector answered.
    ///
    /// # Errors
    /// There is no such sign-in; or still no sector answers.
    pub(crate) async fn complete(&self, id: Uuid) -> Result<CompletedSignIn, SignInError> {
        let known = sign_ins::read(&self.pool, id).await?;
        let known = known.filter(|known| known.is_unfinished);
        let known = known.ok_or(SignInError::NotFound)?;
        if let Some(provider) = self.providers.pasted(&known.provider) {
            let done = self.complete_claimed(provider, known).await?;
            return Ok(CompletedSignIn::Claimed(done.sign_in));
        }
        if let Some(provider) = self.providers.linked(&known.provider) {
            let done = self.complete_linked(provider, known).await?;
            return Ok(CompletedSignIn::Claimed(done));
        }
        let provider = self.providers.consented(&known.provider);
        let provider = provider.ok_or(SignInError::NotFound)?;
        let ended = self.complete_consent(provider, &known).await;
        Ok(CompletedSignIn::Consented(ended))
    }

    async fn complete_consent(
        &self,
        provider: &dyn ConsentedProvider,
        known: &SignIn,
    ) -> EndedConsent {
        let id = known.id;
        let granted: Scopes = known.scopes.iter().map(String::as_str).collect();
        let attempt = UnfinishedConsent {
            attempt: id,
            id,
            granted: &granted,
        };
        let tokens = self.tokens_of(id);
        let issued = match timeout(TRIAL_DEADLINE, tokens.access_token()).await {
            Ok(Ok(token)) => IssuedTokens::of_access_token(token),
            Ok(Err(failure)) => return attempt.kept(provider, &failure),
            Err(_) => return attempt.kept(provider, &trial::too_late()),
        };
        self.finish(provider, attempt, &issued).await
    }

    /// Asks whose it is, and makes the sign-in of that account, with the connections that it covers.
    pub(super) async fn finish(
        &self,
        provider: &dyn ConsentedProvider,
        unfinished: UnfinishedConsent<'_>,
        issued: &IssuedTokens,
    ) -> EndedConsent {
        let asked = provider.account(issued, Arc::new(self.tokens_of(unfinished.id)));
        let account = match timeout(TRIAL_DEADLINE, asked).await {
            Ok(Ok(account)) => account,
            Ok(Err(failure)) => return unfinished.kept(provider, &failure),
            Err(_) => return unfinished.kept(provider, &trial::too_late()),
        };
        match self.store_finished(provider, &unfinished, account).await {
            Ok(Some(sign_in)) => {
                self.tokens.forget(sign_in.id).await;
                self.tokens.forget(unfinished.id).await;
                let granted = unfinished.granted;
                let outcome =
                    ConsentOutcome::connected(unfinished.attempt, provider, granted, &sign_in);
                EndedConsent {
                    outcome,
                    sign_in: Some(sign_in),
                }
            }
            Ok(None) => unfinished.failed(provider, "The sign-in is gone. Begin again."),
            Err(SignInError::OtherAccount) => {
                self.drop_unfinished(unfinished.id).await;
                let message = "That was another account than the one of this sign-in. Sign in with that one, or connect the other one as a source of its own.";
                let (attempt, provider) = (unfinished.attempt, provider.id());
                of_outcome(ConsentOutcome::failed(attempt, provider, message))
            }
            Err(error) => {
                log::error!(
                    "a sign-in at {} could not be stored: {error}",
                    provider.id()
                );
                let message = format!("The sign-in could not be stored: {error}. Try again.");
                unfinished.failed(provider, &message)
            }
        }
    }

    async fn store_finished(
        &self,
        provider: &dyn ConsentedProvider,
        unfinished: &UnfinishedConsent<'_>,
        account: ConsentedAccount,
    ) -> Result<Option<SignIn>, SignInError> {
        if let Some(renewed) = self.renewed_by(unfinished.id).await?
            && provider.terms().names_account
            && renewed.identity != account.identity
        {
            return Err(SignInError::OtherAccount);
        }
        let covered = outcome::covered(provider, unfinished.granted);
        let connections = covered.into_iter();
        let connections: Result<Vec<_>, _> = connections
            .map(|sector| new_connection(sector, provider.title(), provider.interval()))
            .collect();
        let finished = FinishedConsent {
            new_id: random::identifier().map_err(SignInError::NoRandomness)?,
            account,
            connections: connections?,
            uncovered: format!(
                "the last sign-in did not grant this. {}",
                provider.terms().add_hint
            ),
        };
        let turn = self.keys.turn().await.map_err(SignInError::Keys)?;
        let (keys, now) = ((&self.keys, &turn), self.clock.now());
        Ok(sign_ins::finish(&self.pool, keys, unfinished.id, &finished, now).await?)
    }

    /// The sign-in that an unfinished one is to renew, if it is still there.
    async fn renewed_by(&self, unfinished: Uuid) -> Result<Option<SignIn>, SignInError> {
        let unfinished = sign_ins::read(&self.pool, unfinished).await?;
        match unfinished.and_then(|own| own.renews) {
            Some(renewed) => Ok(sign_ins::read(&self.pool, renewed).await?),
            None => Ok(None),
        }
    }

    async fn drop_unfinished(&self, id: Uuid) {
        if let Err(error) =
            sign_ins::revoke(&self.pool, id, "sign in again", self.clock.now()).await
        {
            log::warn!("the tokens of another account stay as sign-in {id}: {error}");
        }
        self.tokens.forget(id).await;
    }

    fn tokens_of(&self, id: Uuid) -> TokensOf {
        TokensOf::new(self.tokens.clone(), id, StoreAway::default())
    }
}
