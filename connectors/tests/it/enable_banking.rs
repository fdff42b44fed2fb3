//! Banks by Enable Banking: after each round the store holds what the stand-in tells.

mod judge;
mod kills;
mod limits;
mod linking;
mod pending;
mod reconsent;
mod rounds;
mod trouble;

use std::collections::BTreeMap;
use std::sync::MutexGuard;

use chrono::{DateTime, Duration, NaiveDate, Utc};
use serde_json::Value;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::provider::{
    AccountHolder, Credential, LinkAddress, LinkRequest, LinkableBank, LinkedProvider,
    LinkingApplication, Source, SourceOptions,
};
use sextant_connectors::providers::{self, WayOut};
use sextant_connectors::request_ledger::SharedLedger;
use sextant_connectors::round::Feed;
use sextant_connectors::secret::SourceSecret;

use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::stand_ins::StandIn;
use crate::support::stand_ins::enable_banking::keys::keys;
use crate::support::stand_ins::enable_banking::{APPLICATION, Aggregator, HOST, REDIRECT};
use crate::support::stand_ins::served::Served;
use crate::support::store::Store;

/// An aggregator, the way to it, and what is stored of a link.
struct World {
    aggregator: StandIn<Aggregator>,
    served: Served,
    provider: Box<dyn LinkedProvider>,
    application: LinkingApplication,
    credential: Option<Credential>,
    ledger: SharedLedger,
    store: Store,
    _certificates: Certificates,
    _folder: tempfile::TempDir,
}

/// A morning.
fn day(number: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + Duration::days(20_000 + number) + Duration::hours(12)
}

/// When a consent ends that was given on a day: a little earlier than the bank allows.
fn consent_end(given: i64) -> DateTime<Utc> {
    day(given + 90) - Duration::hours(1)
}

fn date(number: i64) -> NaiveDate {
    day(number).date_naive()
}

fn application(key: &str) -> LinkingApplication {
    LinkingApplication {
        id: APPLICATION.to_owned(),
        key: SourceSecret::new(key),
    }
}

impl World {
    /// Nothing linked, on day 0.
    async fn new(test: &str) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("{LOOPBACK},DNS:{HOST}");
        let certificates = certificates::make(folder.path(), &names);
        let aggregator = StandIn::new(Aggregator::new(day(0)));
        let certificate = (&*certificates.server, &*certificates.server_key);
        let served = aggregator.serve(test, Some(certificate)).await;
        let way_out = WayOut {
            diversions: Diversions::new([(Domain::parse(HOST).unwrap(), served.address)]),
            authorities: Some(std::fs::read_to_string(&certificates.authority).unwrap()),
            ..WayOut::default()
        };
        let all = providers::linked(|_| way_out.clone());
        Some(Self {
            provider: all.into_iter().find(|one| one.id() == "bank_app").unwrap(),
            application: application(&keys().private),
            aggregator,
            served,
            credential: None,
            ledger: SharedLedger::default(),
            store: Store::default(),
            _certificates: certificates,
            _folder: folder,
        })
    }

    /// With two accounts linked, of which one has payments on the last days.
    async fn start(test: &str) -> Option<Self> {
        let mut world = Self::new(test).await?;
        {
            let mut aggregator = world.aggregator();
            let account = aggregator.open("a");
            for number in 1..=6 {
                account.book(
                    &format!("r{number}"),
                    &format!("-{number}.50"),
                    date(-number * 3),
                );
            }
            aggregator.open("b");
        }
        world.link(&["a", "b"]).await.unwrap();
        Some(world)
    }

    fn aggregator(&self) -> MutexGuard<'_, Aggregator> {
        self.aggregator.state()
    }

    fn now(&self) -> DateTime<Utc> {
        self.aggregator().now
    }

    /// A payment of the first account that is pending since day 0.
    fn hold(&self, reference: &str, amount: &str) {
        let mut aggregator = self.aggregator();
        aggregator.account("a").hold(reference, amount, date(0));
    }

    async fn bank(&self) -> LinkableBank {
        let banks = self.provider.banks(&self.application, "FI", self.now());
        banks.await.unwrap().remove(0)
    }

    async fn begin(&self, bank: &LinkableBank, back: &str) -> Result<LinkAddress, SourceFailure> {
        let asked = LinkRequest {
            bank,
            holder: AccountHolder::Person,
            redirect_url: back,
            state: "state-1",
        };
        let begun = self
            .provider
            .begin_link(&self.application, &asked, self.now());
        begun.await
    }

    /// What a person comes to who consents for these accounts.
    async fn consent(&self, accounts: &[&str]) -> SourceSecret {
        let bank = self.bank().await;
        self.begin(&bank, REDIRECT).await.unwrap();
        SourceSecret::new(self.aggregator().consent("state-1", accounts))
    }

    async fn finish(
        &self,
        code: &SourceSecret,
        earlier: Option<&SourceSecret>,
    ) -> Result<Credential, SourceFailure> {
        let (application, now) = (&self.application, self.now());
        let finished = self.provider.finish_link(application, code, earlier, now);
        finished.await
    }

    /// Links the bank, in place of an earlier link if there is one.
    async fn link(&mut self, accounts: &[&str]) -> Result<(), SourceFailure> {
        let code = self.consent(accounts).await;
        let earlier = self.credential.as_ref().map(|own| own.sealed.clone());
        self.credential = Some(self.finish(&code, earlier.as_ref()).await?);
        Ok(())
    }

    fn feed(&self) -> Box<dyn Feed> {
        let sealed = &self.credential.as_ref().unwrap().sealed;
        let options = SourceOptions {
            ledger: self.ledger.clone(),
            ..SourceOptions::default()
        };
        let with = (&self.application, sealed);
        let source = self.provider.source("finance", with, &options, self.now());
        match source.unwrap() {
            Source::Rounds(feed) => feed,
            Source::Stream(_) => panic!("banks are read in rounds"),
        }
    }

    /// A round.
    async fn sync(&mut self) {
        self.try_sync(usize::MAX).await.unwrap();
    }

    async fn try_sync(&mut self, pages_max: usize) -> Result<(), SourceFailure> {
        let (feed, now) = (self.feed(), self.now());
        self.store.sync_pages(&*feed, now, pages_max).await
    }

    /// The clock goes on.
    fn wait(&self, time: Duration) {
        self.aggregator().now += time;
    }

    /// A field of a table's rows, by their keys.
    fn field(&self, target: &str, name: &str) -> BTreeMap<String, Value> {
        let records = self.store.records(target).into_iter();
        let named = records.map(|(key, record)| {
            let value = record.fields.get(name).cloned();
            (key.to_owned(), value.unwrap_or_default())
        });
        named.collect()
    }

    /// The payments that are stored, each as account, amount and status.
    fn stored(&self) -> Vec<String> {
        let records = self.store.records("finance.transactions").into_values();
        let payments = records.map(|record| {
            let field = |name: &str| record.fields[name].as_str().unwrap().to_owned();
            format!(
                "{} {} {}",
                field("account_id"),
                field("amount"),
                field("status")
            )
        });
        let mut payments: Vec<_> = payments.collect();
        payments.sort();
        payments
    }

    /// The same as the bank has them.
    fn told(&self) -> Vec<String> {
        let aggregator = self.aggregator();
        let accounts = aggregator.accounts.iter();
        let payments = accounts.flat_map(|(account, of)| {
            of.payments.iter().map(move |own| {
                let status = if own.is_pending() {
                    "pending"
                } else {
                    "posted"
                };
                format!("{account} {} {status}", own.amount)
            })
        });
        let mut payments: Vec<_> = payments.collect();
        payments.sort();
        payments
    }

    fn assert_equal(&self) {
        assert_eq!(self.stored(), self.told());
    }
}
