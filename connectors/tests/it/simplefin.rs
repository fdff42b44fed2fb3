//! Banks by SimpleFIN: after each round the store holds what the stand-in tells.

mod accounts;
mod claims;
mod judge;
mod kills;
mod payments;
mod spans;

use std::collections::BTreeMap;
use std::sync::MutexGuard;

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::provider::{
    Credential, ExchangeError, Form, PastedProvider, Source, SourceOptions,
};
use sextant_connectors::providers::{self, WayOut};
use sextant_connectors::round::Feed;

use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::stand_ins::StandIn;
use crate::support::stand_ins::served::Served;
use crate::support::stand_ins::simplefin::{Bridge, HOST};
use crate::support::store::Store;

/// A bridge, the way to it, and what is stored of it.
struct World {
    bridge: StandIn<Bridge>,
    _served: Served,
    provider: Box<dyn PastedProvider>,
    credential: Option<Credential>,
    store: Store,
    _certificates: Certificates,
    _folder: tempfile::TempDir,
}

/// A morning.
fn day(number: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + Duration::days(20_000 + number) + Duration::hours(12)
}

impl World {
    /// No bank, and nothing claimed, on day 0.
    async fn new(test: &str) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("{LOOPBACK},DNS:{HOST}");
        let certificates = certificates::make(folder.path(), &names);
        let bridge = StandIn::new(Bridge::new(day(0)));
        let certificate = (&*certificates.server, &*certificates.server_key);
        let served = bridge.serve(test, Some(certificate)).await;
        let way_out = WayOut {
            diversions: Diversions::new([(Domain::parse(HOST).unwrap(), served.address)]),
            authorities: Some(std::fs::read_to_string(&certificates.authority).unwrap()),
            ..WayOut::default()
        };
        let all = providers::pasted(|_| way_out.clone());
        Some(Self {
            provider: all.into_iter().find(|one| one.id() == "simplefin").unwrap(),
            bridge,
            _served: served,
            credential: None,
            store: Store::default(),
            _certificates: certificates,
            _folder: folder,
        })
    }

    /// With the token claimed.
    async fn claimed(test: &str) -> Option<Self> {
        let mut world = Self::new(test).await?;
        world.credential = Some(world.enter(&Bridge::setup_token()).await.unwrap());
        Some(world)
    }

    fn bridge(&self) -> MutexGuard<'_, Bridge> {
        self.bridge.state()
    }

    async fn enter(&self, token: &str) -> Result<Credential, ExchangeError> {
        let entered = [("token".to_owned(), token.to_owned())];
        let form = Form::new(self.provider.fields(), entered).unwrap();
        self.provider.exchange(&form).await
    }

    fn feed(&self) -> Box<dyn Feed> {
        let sealed = &self.credential.as_ref().unwrap().sealed;
        let options = SourceOptions::default();
        match self.provider.source("finance", sealed, &options).unwrap() {
            Source::Rounds(feed) => feed,
            Source::Stream(_) => panic!("banks are read in rounds"),
        }
    }

    /// A round.
    async fn sync(&mut self) {
        self.try_sync(usize::MAX).await.unwrap();
    }

    async fn try_sync(&mut self, pages_max: usize) -> Result<(), SourceFailure> {
        let (feed, now) = (self.feed(), self.bridge().now);
        self.store.sync_pages(&*feed, now, pages_max).await
    }

    /// The clock goes on.
    fn wait(&self, time: Duration) {
        self.bridge().now += time;
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

    /// The payments that are stored: account and id, the amount, and whether they are booked.
    fn stored(&self) -> BTreeMap<String, (String, bool)> {
        let records = self.store.records("finance.transactions").into_iter();
        let payments = records.map(|(key, record)| {
            let amount = record.fields["amount"].as_str().unwrap().to_owned();
            (
                key.to_owned(),
                (amount, record.fields["status"] == "posted"),
            )
        });
        payments.collect()
    }

    /// The same as the bridge has them.
    fn told(&self) -> BTreeMap<String, (String, bool)> {
        let bridge = self.bridge();
        let accounts = bridge.accounts.iter();
        let payments = accounts.flat_map(|(account, of)| {
            of.payments.iter().map(move |(id, payment)| {
                let told = (payment.amount.clone(), payment.booked_at.is_some());
                (format!("{account}/{id}"), told)
            })
        });
        payments.collect()
    }

    fn assert_equal(&self) {
        assert_eq!(self.stored(), self.told());
        let accounts: Vec<_> = self.bridge().accounts.keys().cloned().collect();
        assert_eq!(self.store.keys(""), accounts);
    }
}
