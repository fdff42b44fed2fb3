//! A person consents at a provider, in a browser: it is sent there, comes back with a code, and the code becomes a sign-in with a
//! connection for each sector that was granted (r120, r121, r122, r129).
//!
//! What was issued is stored before anything is asked with it, since a code serves once. When the account cannot be asked, a sign-in
//! without connections stays, and can be completed later.

use sextant_actors::random;
use sextant_connectors::oauth::{
    AuthorizationRequest, CallbackOutcome, IssuedTokens, KeptTokens, PkceVerifier, Scopes,
    TokenFailure,
};
use sextant_connectors::provider::{ConsentedProvider, ReturnWay};
use sextant_connectors::secret::SourceSecret;
use tokio::time::timeout;
use uuid::Uuid;

use super::attempts::{ConsentAttempt, NewAttempt};
use super::finishing::UnfinishedConsent;
use super::outcome::{self, ConsentOutcome, EndedConsent, of_outcome};
use super::{SignInError, SignIns, TRIAL_DEADLINE, trial};
use crate::store::provider_apps;
use crate::store::sign_ins;

/// Where a browser is sent, and what binds it.
pub(crate) struct BegunConsent {
    pub id: Uuid,
    /// The provider's page.
    pub url: String,
}

/// How a browser came back.
pub(crate) struct Returned<'a> {
    /// The query of the address that it came back to.
    pub query: &'a str,
    /// What was given to the browser when it began.
    pub browser: Option<&'a str>,
}

impl SignIns {
    /// Where a provider sends the browser back to: exactly this is registered there.
    pub(crate) fn redirect_uri(&self, provider: &dyn ConsentedProvider) -> String {
        let scheme = match provider.terms().return_way {
            ReturnWay::Callback => "http",
            // Nothing answers there: the person pastes the address.
            ReturnWay::PastedAddress => "https",
        };
        let (port, id) = (self.console_port, provider.id());
        format!("{scheme}://localhost:{port}/oauth/{id}/callback")
    }

    /// Begins a sign-in for a browser; `renews` is the sign-in that is to be renewed by it.
    ///
    /// # Errors
    /// No app is set for the provider, or that sign-in is none of it.
    pub(crate) async fn begin_consent(
        &self,
        provider: &dyn ConsentedProvider,
        renews: Option<Uuid>,
        browser: &str,
    ) -> Result<BegunConsent, SignInError> {
        let app = provider_apps::read(&self.pool, &self.keys, provider.id()).await;
        let app = app.map_err(SignInError::App)?;
        self.require_renewable(provider.id(), renews).await?;
        let id = random::identifier().map_err(SignInError::NoRandomness)?;
        let state = random::bytes::<32>().map_err(SignInError::NoRandomness)?;
        let state = random::base64url(&state);
        let verifier = match provider.terms().takes_challenge {
            true => Some(random::bytes().map_err(SignInError::NoRandomness)?),
            false => None,
        };
        let verifier = verifier.map(PkceVerifier::of_random);
        let challenge = verifier.as_ref().map(PkceVerifier::challenge);
        let url = AuthorizationRequest {
            addresses: provider.addresses(),
            client_id: &app.id,
            redirect_uri: &self.redirect_uri(provider),
            scopes: &provider.terms().asked(),
            state: &state,
            challenge: challenge.as_deref(),
            besides: provider.terms().besides,
        }
        .to_url();
        let attempt = NewAttempt {
            id,
            provider: provider.id(),
            verifier,
            renews,
            state: &state,
            browser,
        };
        self.attempts.begin(attempt, self.clock.now());
        Ok(BegunConsent {
            id,
            url: url.into(),
        })
    }

    /// That what is to be renewed is a sign-in of this provider, if anything is.
    pub(super) async fn require_renewable(
        &self,
        provider: &str,
        renews: Option<Uuid>,
    ) -> Result<(), SignInError> {
        let Some(id) = renews else {
            return Ok(());
        };
        let known = sign_ins::read(&self.pool, id).await?;
        match known.is_some_and(|known| known.provider == provider && !known.is_unfinished) {
            true => Ok(()),
            false => Err(SignInError::NotFound),
        }
    }

    /// What became of an attempt, as far as that is known.
    pub(crate) fn consent_outcome(&self, id: Uuid) -> Option<ConsentOutcome> {
        self.attempts.outcome(id, self.clock.now())
    }

    pub(super) async fn ended(
        &self,
        provider: &dyn ConsentedProvider,
        attempt: &ConsentAttempt,
        outcome: CallbackOutcome,
    ) -> EndedConsent {
        let code = match outcome {
            CallbackOutcome::Code(code) => code,
            CallbackOutcome::Cancelled => {
                return of_outcome(ConsentOutcome::cancelled(attempt.id, provider));
            }
            CallbackOutcome::Refused(words) => {
                let title = provider.title();
                let message = format!("{title} refused the sign-in: {words}");
                return of_outcome(ConsentOutcome::failed(attempt.id, provider.id(), message));
            }
        };
        match self.exchange_code(provider, attempt, &code).await {
            Ok(issued) => self.take_up(provider, attempt, &issued).await,
            Err(message) => {
                let message = format!("{message}. Begin again.");
                of_outcome(ConsentOutcome::failed(attempt.id, provider.id(), message))
            }
        }
    }

    /// Tokens for the code; it is sent once, whatever comes of it.
    async fn exchange_code(
        &self,
        provider: &dyn ConsentedProvider,
        attempt: &ConsentAttempt,
        code: &SourceSecret,
    ) -> Result<IssuedTokens, String> {
        let app = provider_apps::read(&self.pool, &self.keys, provider.id()).await;
        let app = app.map_err(|error| error.to_string())?;
        let endpoint = provider.token_endpoint();
        let endpoint = endpoint.map_err(|failure| failure.message)?;
        let redirect_uri = self.redirect_uri(provider);
        let exchanged = endpoint.exchange(&app, code, &redirect_uri, attempt.verifier.as_ref());
        match timeout(TRIAL_DEADLINE, exchanged).await {
            Ok(issued) => issued.map_err(|failure: TokenFailure| failure.failure().message.clone()),
            Err(_) => Err(trial::too_late().message),
        }
    }

    /// Keeps what was issued, and makes the sign-in of it. What opens no sector is not kept.
    async fn take_up(
        &self,
        provider: &dyn ConsentedProvider,
        attempt: &ConsentAttempt,
        issued: &IssuedTokens,
    ) -> EndedConsent {
        let asked = || provider.terms().asked().into_iter().collect();
        let granted: Scopes = issued.scopes.clone().unwrap_or_else(asked);
        if outcome::covered(provider, &granted).is_empty() {
            return of_outcome(ConsentOutcome::no_sectors(attempt.id, provider, &granted));
        }
        let kept = self.keep_issued(provider, issued, &granted, attempt.renews);
        match kept.await {
            Ok(id) => {
                let unfinished = UnfinishedConsent {
                    attempt: attempt.id,
                    id,
                    granted: &granted,
                };
                self.finish(provider, unfinished, issued).await
            }
            Err(error) => {
                log::error!("a sign-in at {} could not be kept: {error}", provider.id());
                let message = format!("The sign-in could not be stored: {error}. Begin again.");
                of_outcome(ConsentOutcome::failed(attempt.id, provider.id(), message))
            }
        }
    }

    async fn keep_issued(
        &self,
        provider: &dyn ConsentedProvider,
        issued: &IssuedTokens,
        granted: &Scopes,
        renews: Option<Uuid>,
    ) -> Result<Uuid, SignInError> {
        let id = random::identifier().map_err(SignInError::NoRandomness)?;
        let now = self.clock.now();
        let kept = KeptTokens::of_consent(issued, now);
        let scopes: Vec<String> = granted
            .to_text()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        let turn = self.keys.turn().await.map_err(SignInError::Keys)?;
        let of = (id, provider.id());
        let issued = (&kept, &*scopes);
        sign_ins::keep_unfinished(&self.pool, &turn, of, issued, renews, now).await?;
        Ok(id)
    }
}
