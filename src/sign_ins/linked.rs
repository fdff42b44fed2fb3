//! A browser comes back from a bank with a code, and the code becomes a sign-in with a connection (r125).
//!
//! A code serves once. So what it gives is stored before anything is asked with it; where the bank does not answer then, the sign-in stays
//! without a connection, and is completed later.

use sextant_actors::random;
use sextant_connectors::oauth::CallbackOutcome;
use sextant_connectors::provider::{Credential, LinkedProvider};
use sextant_connectors::secret::SourceSecret;
use uuid::Uuid;

use super::attempts::ConsentAttempt;
use super::outcome::{ConsentOutcome, EndedConsent, of_outcome};
use super::{SignInError, SignIns, TriedSignIn, sectors_of, trial};
use crate::store::sign_ins::{self, CredentialError, NewSignIn, SignIn};

impl SignIns {
    /// What comes of what a browser brought back from a bank.
    pub(super) async fn linked(
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
            Some(id) => self.earlier_link(id).await?,
            None => None,
        };
        let finished = provider.finish_link(&application, code, earlier.as_ref(), self.clock.now());
        finished.await.map_err(SignInError::Source)
    }

    /// What is sealed of a sign-in's link; `None` once it was revoked.
    pub(super) async fn earlier_link(&self, id: Uuid) -> Result<Option<SourceSecret>, SignInError> {
        match sign_ins::credential(&self.pool, &self.keys, id).await {
            Ok(credential) => Ok(Some(credential.secret)),
            Err(CredentialError::Revoked | CredentialError::Absent) => Ok(None),
            Err(error) => Err(SignInError::of_credential(error)),
        }
    }

    /// Stores the link before it is tried. The bank's connection goes on, or is made.
    async fn keep_link(
        &self,
        provider: &dyn LinkedProvider,
        attempt: &ConsentAttempt,
        credential: Credential,
    ) -> Result<SignIn, SignInError> {
        if let Some(id) = attempt.renews {
            let known = sign_ins::read(&self.pool, id).await?;
            let known = known.ok_or(SignInError::NotFound)?;
            // In place of one that was revoked, nothing but this tells that it is of the same accounts.
            return match known.identity == credential.identity {
                true => self.keep_renewed(id, &credential).await,
                false => Err(SignInError::OtherAccount),
            };
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
}
