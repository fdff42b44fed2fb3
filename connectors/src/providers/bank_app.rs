//! Banks by an application of the operator's own at Enable Banking. Each bank that is linked is a sign-in (r125).

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::WayOut;
use super::sealed::{no_way_to, read, write};
use crate::enable_banking::{
    BankApplication, BankClient, BankLink, EnableBankingFeed, HOST, linking,
};
use crate::failure::SourceFailure;
use crate::guard::{AddressRule, Domain, HttpGuard};
use crate::limits::LINKED_INTERVAL;
use crate::provider::{
    CheckedApplication, Credential, ExchangeError, LinkAddress, LinkRequest, LinkableBank,
    LinkedBank, LinkedProvider, LinkingApplication, Provider, Source, SourceOptions,
};
use crate::secret::SourceSecret;

/// Its word in settings and rows. It names no company: another aggregator at which the operator has an application is a file beside this.
pub(super) const ID: &str = "bank_app";

pub(super) struct EnableBanking {
    way_out: WayOut,
}

impl EnableBanking {
    pub(super) const fn new(way_out: WayOut) -> Self {
        Self { way_out }
    }

    fn http(&self) -> Result<HttpGuard, SourceFailure> {
        let rule = AddressRule::of_domains(Domain::parse(HOST));
        self.way_out.http(rule, None)
    }

    fn client(
        &self,
        application: &LinkingApplication,
        now: DateTime<Utc>,
    ) -> Result<BankClient, SourceFailure> {
        let application = BankApplication::usable(application)?;
        BankClient::new(self.http()?, &application, now)
    }
}

impl Provider for EnableBanking {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Enable Banking"
    }

    fn sectors(&self) -> &'static [&'static str] {
        &["finance"]
    }

    fn interval(&self) -> Duration {
        LINKED_INTERVAL
    }

    fn interval_min(&self) -> Duration {
        LINKED_INTERVAL
    }

    fn revocation(&self) -> &'static str {
        "End the consent in the bank's own app or pages, where it lists who may read the accounts."
    }
}

#[async_trait]
impl LinkedProvider for EnableBanking {
    fn application_help(&self) -> &'static str {
        "In the control panel of enablebanking.com: register an application with one of these redirect addresses, and keep the key that it gives you."
    }

    async fn check_application(
        &self,
        application: &LinkingApplication,
        now: DateTime<Utc>,
    ) -> Result<CheckedApplication, ExchangeError> {
        let application = BankApplication::parse(application)?;
        let http = self.http().map_err(ExchangeError::Source)?;
        let client = BankClient::new(http, &application, now).map_err(ExchangeError::Source)?;
        linking::check(&client).await
    }

    async fn banks(
        &self,
        application: &LinkingApplication,
        country: &str,
        now: DateTime<Utc>,
    ) -> Result<Vec<LinkableBank>, SourceFailure> {
        linking::banks(&self.client(application, now)?, country).await
    }

    async fn begin_link(
        &self,
        application: &LinkingApplication,
        asked: &LinkRequest<'_>,
        now: DateTime<Utc>,
    ) -> Result<LinkAddress, SourceFailure> {
        linking::begin(&self.client(application, now)?, asked, now).await
    }

    async fn finish_link(
        &self,
        application: &LinkingApplication,
        code: &SourceSecret,
        earlier: Option<&SourceSecret>,
        now: DateTime<Utc>,
    ) -> Result<Credential, SourceFailure> {
        let earlier: Option<BankLink> = earlier.map(read).transpose()?;
        let link = linking::finish(&self.client(application, now)?, code).await?;
        let link = match &earlier {
            Some(earlier) => link.in_place_of(earlier)?,
            None => link,
        };
        Ok(Credential {
            identity: link.identity().to_owned(),
            account: link.bank_name().to_owned(),
            sealed: write(&link)?,
            ends_at: Some(link.ends_at()),
        })
    }

    fn bank_of(&self, sealed: &SourceSecret) -> Result<LinkedBank, SourceFailure> {
        let link: BankLink = read(sealed)?;
        Ok(link.bank())
    }

    fn source(
        &self,
        sector: &str,
        (application, sealed): (&LinkingApplication, &SourceSecret),
        options: &SourceOptions,
        now: DateTime<Utc>,
    ) -> Result<Source, SourceFailure> {
        if sector != "finance" {
            return Err(no_way_to(sector));
        }
        let application = BankApplication::usable(application)?;
        let feed = EnableBankingFeed::new(
            (self.http()?, application),
            read(sealed)?,
            options.ledger.clone(),
            now,
        );
        Ok(Source::Rounds(Box::new(feed)))
    }

    async fn revoke(
        &self,
        application: &LinkingApplication,
        sealed: &SourceSecret,
        now: DateTime<Utc>,
    ) -> Result<(), SourceFailure> {
        let link: BankLink = read(sealed)?;
        linking::end(&self.client(application, now)?, &link).await
    }
}
