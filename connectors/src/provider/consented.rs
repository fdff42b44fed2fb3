//! A person consents at the provider, in a browser; access tokens are had from then on.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Provider, Source};
use crate::bearer::AccessTokens;
use crate::failure::SourceFailure;
use crate::oauth::{IssuedTokens, OAuthAddresses, RefreshUse, Scopes, TokenEndpoint};
use crate::secret::SourceSecret;

/// One provider, reached by the ways of its settings.
#[async_trait]
pub trait ConsentedProvider: Provider {
    /// What is asked of the person, and how its tokens behave.
    fn terms(&self) -> &'static ConsentTerms;

    /// Where the legs of a sign-in are.
    fn addresses(&self) -> &OAuthAddresses;

    /// Where tokens are issued.
    ///
    /// # Errors
    /// When the settings of the way out cannot be used.
    fn token_endpoint(&self) -> Result<TokenEndpoint, SourceFailure>;

    /// Whose consent it is.
    ///
    /// # Errors
    /// When the provider does not say.
    async fn account(
        &self,
        issued: &IssuedTokens,
        tokens: Arc<dyn AccessTokens>,
    ) -> Result<ConsentedAccount, SourceFailure>;

    /// The way to one sector, as far as it was granted.
    ///
    /// # Errors
    /// When the provider has no way to that sector.
    fn source(
        &self,
        sector: &str,
        granted: &Scopes,
        tokens: Arc<dyn AccessTokens>,
    ) -> Result<Source, SourceFailure>;

    /// Ends the consent at the provider; false where only the person can.
    ///
    /// # Errors
    /// When the provider does not take it.
    async fn revoke(
        &self,
        refresh_token: &SourceSecret,
        tokens: Arc<dyn AccessTokens>,
    ) -> Result<bool, SourceFailure>;
}

/// Whose a consent is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentedAccount {
    /// What decides whether it is the account of another sign-in, which is renewed by it then. It need not mean anything to people.
    pub identity: String,
    /// What a person knows it by.
    pub name: String,
}

/// What is asked of the person, and how the tokens behave that come of it.
#[derive(Clone, Copy, Debug)]
pub struct ConsentTerms {
    /// What is asked for, all of it at once.
    pub scopes: &'static [ScopeUse],
    /// What the provider wants in the address besides.
    pub besides: &'static [(&'static str, &'static str)],
    /// How the browser comes back.
    pub return_way: ReturnWay,
    /// Whether the provider takes a challenge (RFC 7636).
    pub takes_challenge: bool,
    /// Whether a refresh token may be sent again.
    pub refresh: RefreshUse,
    /// Whether an account always has the same identity, whatever was granted.
    pub names_account: bool,
    /// What a refresh asks for, where the provider gives the next refresh token only then.
    pub refresh_scope: Option<&'static str>,
    /// What a dead sign-in of this provider often has for its cause, as a sentence; empty for none.
    pub ended_hint: &'static str,
    /// Where the operator registers an app of their own, as a sentence.
    pub app_help: &'static str,
    /// Where a person adds what they did not grant.
    pub add_hint: &'static str,
}

/// One scope, and what it is for.
#[derive(Clone, Copy, Debug)]
pub struct ScopeUse {
    /// As the provider writes it.
    pub scope: &'static str,
    /// What it lets be read, for people.
    pub title: &'static str,
    /// The sector that it opens, by itself or with others (r120, r121, r122); `None` for what opens none.
    pub sector: Option<&'static str>,
}

/// How the browser comes back from the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnWay {
    /// To the Console, on `http://localhost`.
    Callback,
    /// The provider takes no such address: the browser ends at one over https that nothing answers, and the person pastes it.
    PastedAddress,
}

impl ConsentTerms {
    /// The scopes, as they are asked for.
    pub fn asked(&self) -> Vec<&'static str> {
        self.scopes.iter().map(|one| one.scope).collect()
    }

    /// Whether what was granted opens a sector: one of its scopes does (r129).
    pub fn opens(&self, granted: &Scopes, sector: &str) -> bool {
        let mut own = self.scopes.iter().filter(|one| one.sector == Some(sector));
        own.any(|one| granted.has(one.scope))
    }

    /// What was asked for of the sectors, and not granted.
    pub fn missing(&self, granted: &Scopes) -> impl Iterator<Item = &'static ScopeUse> {
        let of_sectors = self.scopes.iter().filter(|one| one.sector.is_some());
        of_sectors.filter(|one| !granted.has(one.scope))
    }
}
