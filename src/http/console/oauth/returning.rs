//! A browser that has come back, of whichever kind its provider is.

use sextant_connectors::provider::{ConsentedProvider, LinkedProvider, Provider};

use crate::http::console::Parts;
use crate::http::problem::{Code, Problem};
use crate::sign_ins::{EndedConsent, Returned, SignInError};

/// The provider that a browser was sent to.
pub(super) enum AwayAt<'a> {
    Consented(&'a dyn ConsentedProvider),
    Linked(&'a dyn LinkedProvider),
}

impl<'a> AwayAt<'a> {
    /// The provider of this word.
    ///
    /// # Errors
    /// When no browser is sent to one of it.
    pub(super) fn find(parts: &'a Parts, id: &str) -> Result<Self, Problem> {
        let providers = &parts.sign_ins.providers;
        let consented = providers.consented(id).map(Self::Consented);
        let linked = || providers.linked(id).map(Self::Linked);
        consented.or_else(linked).ok_or_else(|| {
            Problem::new(
                Code::NotFound,
                "there is no such provider where one signs in; GET /api/providers lists them (methods oauth and link)",
            )
        })
    }

    pub(super) fn provider(&self) -> &'a dyn Provider {
        match self {
            Self::Consented(provider) => *provider,
            Self::Linked(provider) => *provider,
        }
    }

    /// Takes up what the browser brought; `None` if that is no answer at all.
    ///
    /// # Errors
    /// There is no randomness.
    pub(super) async fn come_back(
        &self,
        parts: &Parts,
        returned: Returned<'_>,
    ) -> Result<Option<EndedConsent>, SignInError> {
        match self {
            Self::Consented(provider) => parts.sign_ins.come_back(*provider, returned).await,
            Self::Linked(provider) => parts.sign_ins.come_back_linked(*provider, returned).await,
        }
    }
}
