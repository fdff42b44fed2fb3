//! A WHOOP: after each round the store holds what the stand-in does.

mod contract;
mod hostile;
mod kills;
mod limits;
mod rounds;
mod stand_in;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use sextant_connectors::bearer::BearerClient;
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{AddressRule, Diversions, Domain, HttpGuard, Trust};
use sextant_connectors::whoop::{WhoopCollection, WhoopFeed};

use self::stand_in::{Kind, StandIn, stored_as};
use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::prism::{self, Prism};
use crate::support::relay::Relay;
use crate::support::sink::Sink;
use crate::support::store::Store;

const HOST: &str = "api.prod.whoop.com";

/// Whether what is asked and answered is held to the provider's description.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contract {
    Kept,
    /// The test answers what no provider would.
    Broken,
}

/// A stand-in, the way to it, and what is stored of it.
struct World {
    stand_in: StandIn,
    store: Store,
    certificates: Certificates,
    relay: Relay,
    _prism: Option<Prism>,
    _server: Sink,
    _folder: tempfile::TempDir,
}

/// A morning.
fn day(number: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + Duration::days(20_000 + number) + Duration::hours(12)
}

impl World {
    /// Nothing in it, on day 0.
    async fn new(test: &str, contract: Contract) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("{LOOPBACK},DNS:{HOST},DNS:sink.test");
        let certificates = certificates::make(folder.path(), &names);
        let stand_in = StandIn::new(day(0));
        let server = stand_in.serve().await;
        let description = prism::contract("whoop.openapi.json");
        let prism = match contract {
            Contract::Kept => Prism::start(test, &description, server.address),
            Contract::Broken => None,
        };
        let first = prism.as_ref().map_or(server.address, |prism| prism.address);
        Some(Self {
            relay: Relay::start(&certificates, first).await,
            _prism: prism,
            stand_in,
            store: Store::default(),
            certificates,
            _server: server,
            _folder: folder,
        })
    }

    /// With this many nights until today, each with what belongs to it, and a workout every other day.
    async fn with_nights(test: &str, nights: i64) -> Option<Self> {
        Self::with_nights_and(test, Contract::Kept, nights).await
    }

    /// The same for a test that breaks the contract.
    async fn lawless(test: &str, nights: i64) -> Option<Self> {
        Self::with_nights_and(test, Contract::Broken, nights).await
    }

    async fn with_nights_and(test: &str, contract: Contract, nights: i64) -> Option<Self> {
        let world = Self::new(test, contract).await?;
        let mut state = world.stand_in.state();
        for night in 1..=nights {
            let start = day(-night) + Duration::hours(10);
            state.add_night(10_000 - night, start);
            if night % 2 == 0 {
                state.add_workout(10_000 - night, start + Duration::hours(17));
            }
        }
        drop(state);
        Some(world)
    }

    fn client(&self) -> BearerClient {
        self.client_of_names(&[])
    }

    /// With other names led elsewhere.
    fn client_of_names(&self, others: &[(&str, &Sink)]) -> BearerClient {
        let domain = |name: &str| Domain::parse(name).unwrap();
        let own = [(domain(HOST), self.relay.address)].into_iter();
        let others = others
            .iter()
            .map(|(name, sink)| (domain(name), sink.address));
        let authority = std::fs::read(&self.certificates.authority).unwrap();
        let guard = HttpGuard::new(
            AddressRule::of_domains([domain(HOST)]),
            Diversions::new(own.chain(others)),
            &Trust::with_authorities(&authority).unwrap(),
        );
        BearerClient::new(guard.unwrap(), Arc::new(self.stand_in.clone()))
    }

    /// Of what is granted.
    fn feed(&self) -> WhoopFeed {
        let state = self.stand_in.state();
        let granted = state.granted.iter();
        let granted = granted.filter_map(|scope| WhoopCollection::of_granted(scope));
        WhoopFeed::new(self.client(), granted)
    }

    /// A round; returns the keys of the items that changed, in order.
    async fn sync(&mut self) -> Vec<String> {
        self.try_sync(usize::MAX).await.unwrap();
        let mut changed = self.store.changed.clone();
        changed.sort();
        changed
    }

    async fn try_sync(&mut self, pages_max: usize) -> Result<(), SourceFailure> {
        let (feed, now) = (self.feed(), self.stand_in.state().now);
        self.store.sync_pages(&feed, now, pages_max).await
    }

    /// The clock goes on.
    fn wait(&self, time: Duration) {
        self.stand_in.state().now += time;
    }

    /// The store holds what the stand-in does.
    fn assert_equal(&self) {
        let (told, stored) = (self.told(|_, _| true), self.stored());
        let named = told.keys().chain(stored.keys());
        let differ: BTreeSet<_> = named.filter(|at| told.get(at) != stored.get(at)).collect();
        assert!(differ.is_empty(), "{differ:?}");
    }

    /// By collection and id, what the stand-in keeps, but whose it is.
    fn told(&self, is_meant: impl Fn(Kind, &Value) -> bool) -> BTreeMap<(String, String), Value> {
        let state = self.stand_in.state();
        let records = state.records.iter();
        let meant = records.filter(|((kind, _), record)| is_meant(*kind, record));
        let named = meant.map(|((kind, id), record)| {
            let mut record = record.clone();
            record.as_object_mut().unwrap().remove("user_id");
            ((stored_as(*kind).to_owned(), id.clone()), record)
        });
        named.collect()
    }

    fn stored(&self) -> BTreeMap<(String, String), Value> {
        let items = self.store.items.iter();
        let raw = items.map(|(at, item)| (at.clone(), item.records[0].fields["raw"].clone()));
        raw.collect()
    }
}
