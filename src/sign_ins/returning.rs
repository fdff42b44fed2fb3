//! A browser comes back, from a provider at which a person consents or from a bank that was linked.

use sextant_actors::random;
use sextant_connectors::oauth::Callback;
use sextant_connectors::provider::{ConsentedProvider, LinkedProvider, Provider};
use uuid::Uuid;

use super::consent::Returned;
use super::outcome::{ConsentOutcome, EndedConsent, of_outcome};
use super::{SignInError, SignIns};

/// What is told of a browser that comes back with a state that nobody waits for.
const NOT_BEGUN: &str = "This sign-in was not begun in this browser, or more than ten minutes ago, or it has come back before. Begin again.";

/// The provider that a browser was sent to.
#[derive(Clone, Copy)]
pub(crate) enum AwayAt<'a> {
    Consented(&'a dyn ConsentedProvider),
    Linked(&'a dyn LinkedProvider),
}

impl<'a> AwayAt<'a> {
    fn provider(self) -> &'a dyn Provider {
        match self {
            Self::Consented(provider) => provider,
            Self::Linked(provider) => provider,
        }
    }
}

impl SignIns {
    /// Where browsers are sent by the provider of this word, if they are.
    pub(crate) fn away_at(&self, id: &str) -> Option<AwayAt<'_>> {
        let consented = self.providers.consented(id).map(AwayAt::Consented);
        consented.or_else(|| self.providers.linked(id).map(AwayAt::Linked))
    }

    /// Takes up what a browser brought back. `None` if it is no answer of a provider at all.
    ///
    /// # Errors
    /// There is no randomness; all else is an outcome.
    pub(crate) async fn come_back(
        &self,
        away: AwayAt<'_>,
        returned: Returned<'_>,
    ) -> Result<Option<EndedConsent>, SignInError> {
        let Some(callback) = Callback::parse(returned.query) else {
            return Ok(None);
        };
        let (id, now) = (away.provider().id(), self.clock.now());
        let taken = self
            .attempts
            .take(id, &callback.state, returned.browser, now);
        let Some(attempt) = taken else {
            return self.not_begun(away).map(Some);
        };
        let mut ended = match away {
            AwayAt::Consented(provider) => self.ended(provider, &attempt, callback.outcome).await,
            AwayAt::Linked(provider) => self.linked(provider, &attempt, callback.outcome).await,
        };
        // What was to be renewed is what is tried again.
        ended.outcome.sign_in = ended.outcome.sign_in.or(attempt.renews);
        self.attempts.end(ended.outcome.clone(), self.clock.now());
        Ok(Some(ended))
    }

    /// A browser that brought nothing that could be read.
    ///
    /// # Errors
    /// There is no randomness.
    pub(crate) fn came_back_empty(&self, away: AwayAt<'_>) -> Result<Uuid, SignInError> {
        Ok(self.not_begun(away)?.outcome.id)
    }

    fn not_begun(&self, away: AwayAt<'_>) -> Result<EndedConsent, SignInError> {
        let id = random::identifier().map_err(SignInError::NoRandomness)?;
        let outcome = ConsentOutcome::failed(id, away.provider().id(), NOT_BEGUN);
        self.attempts.end(outcome.clone(), self.clock.now());
        Ok(of_outcome(outcome))
    }
}
