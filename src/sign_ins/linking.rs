//! A bank is linked by the operator's application at an aggregator: the browser is sent to the bank (r125). What it comes back with:
//! `linked.rs`.

use sextant_actors::random;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::provider::{
    CheckedApplication, LinkRequest, LinkableBank, LinkedBank, LinkedProvider, LinkingApplication,
};
use tokio::time::timeout;
use uuid::Uuid;

use super::attempts::NewAttempt;
use super::consent::BegunConsent;
use super::{SignInError, SignIns, TRIAL_DEADLINE, trial};
use crate::store::provider_apps;

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
        let link = self.earlier_link(id).await?.ok_or(SignInError::NoBank)?;
        provider.bank_of(&link).map_err(SignInError::Source)
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
