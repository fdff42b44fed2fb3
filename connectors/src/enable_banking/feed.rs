//! The accounts of a link, in rounds.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::application::BankApplication;
use super::client::BankClient;
use super::link::BankLink;
use super::linking;
use super::reading::LinkReading;
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::HttpGuard;
use crate::request_ledger::SharedLedger;
use crate::round::{Feed, Round, RoundRequest};

/// The accounts that a person let a bank give.
pub struct EnableBankingFeed {
    http: HttpGuard,
    application: BankApplication,
    link: BankLink,
    ledger: SharedLedger,
    asked_at: DateTime<Utc>,
}

impl EnableBankingFeed {
    /// Reads a link; what is read of each account is counted in the ledger. A check is as of `asked_at`.
    pub(crate) fn new(
        (http, application): (HttpGuard, BankApplication),
        link: BankLink,
        ledger: SharedLedger,
        asked_at: DateTime<Utc>,
    ) -> Self {
        Self {
            http,
            application,
            link,
            ledger,
            asked_at,
        }
    }

    /// Asks as of an instant, as long as the consent has not ended.
    fn client(&self, now: DateTime<Utc>) -> Result<BankClient, SourceFailure> {
        if now >= self.link.ends_at() {
            let message = "the bank's consent has ended: link the bank again";
            return Err(SourceFailure::new(FailureKind::SignInEnded, message));
        }
        BankClient::new(self.http.clone(), &self.application, now)
    }
}

#[async_trait]
impl Feed for EnableBankingFeed {
    async fn check(&self) -> Result<(), SourceFailure> {
        linking::confirm(&self.client(self.asked_at)?, &self.link).await
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let client = self.client(request.now)?;
        let (link, ledger) = (self.link.clone(), self.ledger.clone());
        Ok(Box::new(LinkReading::new((client, ledger), link, request)))
    }
}
