//! A bank is linked by the operator's application at an aggregator: the browser is sent to the bank, comes back with a code, and the code
//! becomes a sign-in with a connection (r125).
//!
//! A code serves once. So what it gives is stored before anything is asked with it; where the bank does not answer then, the sign-in stays
//! without a connection, and is completed later.

use sextant_actors::random;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::oauth::{Callback, CallbackOutcome};
use sextant_connectors::provider::{
    CheckedApplication, Credential, LinkRequest, LinkableBank, LinkedBank, LinkedProvider,
    LinkingApplication,
};
use sextant_connectors::secret::SourceSecret;
use tokio::time::timeout;
use uuid::Uuid;

use super::attempts::{ConsentAttempt, NewAttempt};
use super::consent::{BegunConsent, NOT_BEGUN, Returned};
use super::outcome::{ConsentOutcome, EndedConsent, of_outcome};
use super::{SignInError, SignIns, TRIAL_DEADLINE, TriedSignIn, sectors_of, trial};
use crate::store::provider_apps;
use crate::store::sign_ins::{self, NewSignIn, SignIn};

/// A link that has begun.
pub(crate) struct BegunLink {
    pub consent: BegunConsent,
    /// Where the bank sends the browser back to.
    pub redirect_url: String,
    /// Whether nothing answers there, so that the person pastes the address.
    pub is_pasted: bool,
}

impl SignIns {
    /// Where a browser may come back to: here, and where nothing answers, from where the person pastes the address.
    pub(crate) fn return_addresses(&self, provider: &dyn LinkedProvider) -> [String; 2] {
        let (port, id) = (self.console_port, provider.id());
        ["http", "https"].map(|scheme| format!("{scheme}://localhost:{port}/oauth/{id}/callback"))
    }

    /// The one of them that an application has; that which comes back by itself before the other.
    pub(super) fn return_of(
        &self,
        provider: &dyn LinkedProvider,
        checked: &CheckedApplication,
    ) -> Option<String> {
        let mut own = self.return_addresses(provider).into_iter();
        own.find(|address| checked.redirect_urls.contains(address))
    }

    /// The banks of a country.
    ///
    /// # Errors
    /// No application is set, or the aggregator fails.
    pub(crate) async fn banks(
        &self,
        provider: &dyn LinkedProvider,
        country: &str,
    ) -> Result<Vec<LinkableBank>, SignInError> {
        let application = self.application(provider).await?;
        let asked = provider.banks(&application, country, self.clock.now());
        in_time(asked).await.map_err(SignInError::Source)
    }

    /// Begins to link a bank for a browser; `renews` is the sign-in whose bank is linked again, which need not be named then.
    ///
    /// # Errors
    /// No application is set, no bank is named, there is no such bank, or the aggregator fails.
    pub(crate) async fn begin_link(
        &self,
        provider: &dyn LinkedProvider,
        wanted: Option<LinkedBank>,
        renews: Option<Uuid>,
        browser: &str,
    ) -> Result<BegunLink, SignInError> {
        let application = self.application(provider).await?;
        self.require_renewable(provider.id(), renews).await?;
        let wanted = match (wanted, renews) {
            (Some(wanted), _) => wanted,
            (None, Some(id)) => self.bank_of(provider, id).await?,
            (None, None) => return Err(SignInError::NoBank),
        };
        let banks = self.banks(provider, &wanted.country).await?;
        let bank = banks.iter().find(|bank| bank.name == wanted.name);
        let bank = bank.ok_or(SignInError::NoSuchBank)?;
        let now = self.clock.now();
        let checked = self.checked(provider, &application).await?;
        let redirect_url = self.return_of(provider, &checked);
        let redirect_url = redirect_url.ok_or(SignInError::NoReturn)?;
        let id = random::identifier().map_err(SignInError::NoRandomness)?;
        let state = random::bytes::<32>().map_err(SignInError::NoRandomness)?;
        let state = random::base64url(&state);
        let asked = LinkRequest {
            bank,
            holder: wanted.holder,
            redirect_url: &redirect_url,
            state: &state,
        };
        let begun = in_time(provider.begin_link(&application, &asked, now)).await;
        let begun = begun.map_err(SignInError::Source)?;
        let attempt = NewAttempt {
            id,
            provider: provider.id(),
            verifier: None,
            renews,
            state: &state,
            browser,
        };
        self.attempts.begin(attempt, self.clock.now());
        Ok(BegunLink {
            consent: BegunConsent {
                id,
                url: begun.url.into(),
            },
            is_pasted: redirect_url.starts_with("https:"),
            redirect_url,
        })
    }

    /// The bank of a sign-in.
    async fn bank_of(
        &self,
        provider: &dyn LinkedProvider,
        id: Uuid,
    ) -> Result<LinkedBank, SignInError> {
        let credential = sign_ins::credential(&self.pool, &self.keys, id).await;
        let credential = credential.map_err(SignInError::of_credential)?;
        provider
            .bank_of(&credential.secret)
            .map_err(SignInError::Source)
    }

    /// Takes up what a browser brought back from a bank. `None` if it is no answer at all.
    ///
    /// # Errors
    /// There is no randomness; all else is an outcome.
    pub(crate) async fn come_back_linked(
        &self,
        provider: &dyn LinkedProvider,
        returned: Returned<'_>,
    ) -> Result<Option<EndedConsent>, SignInError> {
        let Some(callback) = Callback::parse(returned.query) else {
            return Ok(None);
        };
        let now = self.clock.now();
        let taken = self
            .attempts
            .take(provider.id(), &callback.state, returned.browser, now);
        let ended = match taken {
            Some(attempt) => {
                let mut ended = self.linked(provider, &attempt, callback.outcome).await;
                ended.outcome.sign_in = ended.outcome.sign_in.or(attempt.renews);
                ended
            }
            None => {
                let id = random::identifier().map_err(SignInError::NoRandomness)?;
                of_outcome(ConsentOutcome::failed(id, provider.id(), NOT_BEGUN))
            }
        };
        self.attempts.end(ended.outcome.clone(), self.clock.now());
        Ok(Some(ended))
    }

    async fn linked(
        &self,
        provider: &dyn LinkedProvider,
        attempt: &ConsentAttempt,
        outcome: CallbackOutcome,
    ) -> EndedConsent {
        let failed = |message: String| {
            of_outcome(ConsentOutcome::failed(attempt.id, provider.id(), message))
        };
        let code = match outcome {
            CallbackOutcome::Code(code) => code,
            CallbackOutcome::Cancelled => {
                return of_outcome(ConsentOutcome::cancelled(attempt.id, provider));
            }
            CallbackOutcome::Refused(words) => {
                return failed(format!("The bank refused the link: {words}"));
            }
        };
        let credential = match self.finish_link(provider, attempt, &code).await {
            Ok(credential) => credential,
            Err(error) => return failed(format!("{error}. Begin again.")),
        };
        match self.keep_link(provider, attempt, credential).await {
            Ok(sign_in) => {
                let outcome = ConsentOutcome::linked(attempt.id, provider, &sign_in);
                EndedConsent {
                    outcome,
                    sign_in: Some(sign_in),
                }
            }
            Err(error) => failed(error.to_string()),
        }
    }

    /// What the code gives. It is sent once, and waited for: what it gives would be lost.
    async fn finish_link(
        &self,
        provider: &dyn LinkedProvider,
        attempt: &ConsentAttempt,
        code: &SourceSecret,
    ) -> Result<Credential, SignInError> {
        let application = self.application(provider).await?;
        let earlier = match attempt.renews {
            Some(id) => sign_ins::credential(&self.pool, &self.keys, id).await.ok(),
            None => None,
        };
        let earlier = earlier.map(|credential| credential.secret);
        let finished = provider.finish_link(&application, code, earlier.as_ref(), self.clock.now());
        finished.await.map_err(SignInError::Source)
    }

    /// Stores the link before it is tried. The bank's connection goes on, or is made.
    async fn keep_link(
        &self,
        provider: &dyn LinkedProvider,
        attempt: &ConsentAttempt,
        credential: Credential,
    ) -> Result<SignIn, SignInError> {
        if let Some(id) = attempt.renews {
            return self.keep_renewed(id, &credential).await;
        }
        let mut new = NewSignIn {
            id: random::identifier().map_err(SignInError::NoRandomness)?,
            provider: provider.id(),
            identity: credential.identity,
            account: credential.account,
            secret: credential.sealed,
            ends_at: credential.ends_at,
        };
        new.id = self.keep_claimed(&new).await?;
        self.connect_linked(provider, new).await
    }

    /// Tries a link that is kept, and makes its connection.
    pub(super) async fn connect_linked(
        &self,
        provider: &dyn LinkedProvider,
        new: NewSignIn,
    ) -> Result<SignIn, SignInError> {
        let application = self.application(provider).await?;
        let options = self.options(Some(new.id));
        let sectors = sectors_of(provider);
        let tried = trial::of_sources(&sectors, |sector| {
            let with = (&application, &new.secret);
            provider.source(sector.name(), with, &options, self.clock.now())
        });
        for (_, tried) in tried.await {
            tried.map_err(|failure| SignInError::Source(failure).of_kept())?;
        }
        let label = new.account.clone();
        let tried = TriedSignIn {
            new,
            answered: sectors,
            missing: Vec::new(),
            provider_interval: provider.interval(),
            label,
        };
        Ok(self.establish(tried).await?.sign_in)
    }

    pub(super) async fn application(
        &self,
        provider: &dyn LinkedProvider,
    ) -> Result<LinkingApplication, SignInError> {
        let read = provider_apps::read_application(&self.pool, &self.keys, provider.id());
        read.await.map_err(SignInError::App)
    }
}

async fn in_time<T>(
    asked: impl Future<Output = Result<T, SourceFailure>>,
) -> Result<T, SourceFailure> {
    let answered = timeout(TRIAL_DEADLINE, asked).await;
    answered.unwrap_or_else(|_| Err(trial::too_late()))
}
