//! The operator has an application of their own at an aggregator, and links one bank after another with it.
//!
//! A link is made in two steps, between which the person is at their bank. `begin_link` says where the browser is sent; what it comes
//! back with becomes by `finish_link` what is sealed, which ends by itself when the bank's consent does. To link a bank again is to
//! make a new link: the accounts are known again by what does not change of them.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Url;

use super::pasted::{Credential, ExchangeError};
use super::{Provider, Source, SourceOptions};
use crate::failure::SourceFailure;
use crate::secret::SourceSecret;

/// One aggregator, reached by the ways of its settings.
#[async_trait]
pub trait LinkedProvider: Provider {
    /// Where the operator registers an application, as a sentence.
    fn application_help(&self) -> &'static str;

    /// Tries an application.
    ///
    /// # Errors
    /// On the field (`id` or `key`) that is at fault, or when the aggregator fails.
    async fn check_application(
        &self,
        application: &LinkingApplication,
        now: DateTime<Utc>,
    ) -> Result<CheckedApplication, ExchangeError>;

    /// The banks of a country (ISO 3166, two letters) that can be linked.
    ///
    /// # Errors
    /// When the aggregator fails, or there is no such country.
    async fn banks(
        &self,
        application: &LinkingApplication,
        country: &str,
        now: DateTime<Utc>,
    ) -> Result<Vec<LinkableBank>, SourceFailure>;

    /// Begins to link a bank.
    ///
    /// # Errors
    /// When the aggregator fails, or refuses what is asked.
    async fn begin_link(
        &self,
        application: &LinkingApplication,
        asked: &LinkRequest<'_>,
        now: DateTime<Utc>,
    ) -> Result<LinkAddress, SourceFailure>;

    /// Turns the code that the browser came back with into what is sealed. It is given once. A link that is made in place of `earlier`
    /// has its identity.
    ///
    /// # Errors
    /// When the aggregator fails, gives no account, or none that `earlier` had.
    async fn finish_link(
        &self,
        application: &LinkingApplication,
        code: &SourceSecret,
        earlier: Option<&SourceSecret>,
        now: DateTime<Utc>,
    ) -> Result<Credential, SourceFailure>;

    /// The bank of a link.
    ///
    /// # Errors
    /// When what is sealed cannot be read.
    fn bank_of(&self, sealed: &SourceSecret) -> Result<LinkedBank, SourceFailure>;

    /// The way to one sector of a link. What is asked outside a round is asked as of `now`.
    ///
    /// # Errors
    /// When the link has no way to that sector, or the application cannot sign.
    fn source(
        &self,
        sector: &str,
        with: (&LinkingApplication, &SourceSecret),
        options: &SourceOptions,
        now: DateTime<Utc>,
    ) -> Result<Source, SourceFailure>;

    /// Ends the bank's consent. One that has ended already is no failure.
    ///
    /// # Errors
    /// When the aggregator does not take it.
    async fn revoke(
        &self,
        application: &LinkingApplication,
        sealed: &SourceSecret,
        now: DateTime<Utc>,
    ) -> Result<(), SourceFailure>;
}

/// The operator's application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkingApplication {
    /// What the aggregator calls it.
    pub id: String,
    /// The private key that signs for it, in PEM form.
    pub key: SourceSecret,
}

/// What an aggregator says of an application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedApplication {
    /// Its name for people.
    pub name: String,
    /// Whether it may be used yet.
    pub is_active: bool,
    /// Whether it reaches banks of the aggregator's own making alone.
    pub is_sandbox: bool,
    /// The addresses to which a browser may come back.
    pub redirect_urls: Vec<String>,
    /// The countries whose banks it may link.
    pub countries: Vec<String>,
}

/// A bank that can be linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkableBank {
    /// Its name, by which it is linked.
    pub name: String,
    /// Its country, in two letters.
    pub country: String,
    /// Where a picture of it is.
    pub logo: Option<String>,
    /// Its BIC.
    pub bic: Option<String>,
    /// The longest consent that it gives.
    pub consent_max: TimeDelta,
    /// Whose accounts it gives.
    pub holders: Vec<AccountHolder>,
    /// What it wants to know of the person's browser with each request. Such a bank tells nothing while nobody is there.
    pub needs: Vec<String>,
    /// Whether the aggregator is not sure of it yet.
    pub is_beta: bool,
}

/// A bank by what tells it from the others of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedBank {
    /// Its country, in two letters.
    pub country: String,
    /// Its name.
    pub name: String,
    /// Whose accounts.
    pub holder: AccountHolder,
}

/// Whose accounts are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountHolder {
    /// A person's.
    Person,
    /// A business's.
    Business,
}

/// What a link is begun with.
#[derive(Clone, Copy, Debug)]
pub struct LinkRequest<'a> {
    /// The bank, as it was listed.
    pub bank: &'a LinkableBank,
    /// Whose accounts.
    pub holder: AccountHolder,
    /// Where the browser comes back to.
    pub redirect_url: &'a str,
    /// What it comes back with, so that nobody else's link is taken.
    pub state: &'a str,
}

/// Where a person consents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkAddress {
    /// Where the browser is sent.
    pub url: Url,
    /// When the consent will end that is asked for.
    pub ends_at: DateTime<Utc>,
}
