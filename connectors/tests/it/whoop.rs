//! A WHOOP: after each round the store holds what the stand-in does.

mod hostile;
mod judges;
mod kills;
mod limits;
mod rounds;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, MutexGuard};

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use sextant_connectors::bearer::{AccessTokens, BearerClient};
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{AddressRule, Diversions, Domain, HttpGuard, Trust};
use sextant_connectors::whoop::{WhoopCollection, WhoopFeed};

use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::sink::Sink;
use crate::support::stand_ins::StandIn;
use crate::support::stand_ins::served::Served;
use crate::support::stand_ins::whoop::Whoop;
use crate::support::stand_ins::whoop::records::{Kind, stored_as};
use crate::support::store::Store;
use crate::support::tokens::Tokens;

const HOST: &str = "api.prod.whoop.com";

/// A stand-in, the way to it, and what is stored of it.
struct World {
    whoop: StandIn<Whoop>,
    served: Served,
    store: Store,
    tokens: Arc<Tokens>,
    certificates: Certificates,
    _folder: tempfile::TempDir,
}

/// A morning.
fn day(number: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + Duration::days(20_000 + number) + Duration::hours(12)
}

impl World {
    /// Nothing in it, on day 0.
    async fn new(test: &str) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("{LOOPBACK},DNS:{HOST},DNS:sink.test");
        let certificates = certificates::make(folder.path(), &names);
        let whoop = StandIn::new(Whoop::new(day(0)));
        let certificate = (&*certificates.server, &*certificates.server_key);
        Some(Self {
            served: whoop.serve(test, Some(certificate)).await,
            whoop,
            store: Store::default(),
            tokens: Arc::new(Tokens::new("access-0")),
            certificates,
            _folder: folder,
        })
    }

    /// With this many nights until today, each with what belongs to it, and a workout every other day.
    async fn with_nights(test: &str, nights: i64) -> Option<Self> {
        let world = Self::new(test).await?;
        let mut whoop = world.whoop();
        for night in 1..=nights {
            let start = day(-night) + Duration::hours(10);
            whoop.add_night(10_000 - night, start);
            if night % 2 == 0 {
                whoop.add_workout(10_000 - night, start + Duration::hours(17));
            }
        }
        drop(whoop);
        Some(world)
    }

    fn whoop(&self) -> MutexGuard<'_, Whoop> {
        self.whoop.state()
    }

    /// The token is taken no more, before its time: another must be had.
    fn rotate(&self) {
        self.whoop().bearers.spend();
        let renewals = self.tokens.renewals();
        self.tokens.give_next(&format!("access-{}", renewals + 1));
    }

    fn client(&self) -> BearerClient {
        self.client_of_names(&[])
    }

    /// With other names led elsewhere.
    fn client_of_names(&self, others: &[(&str, &Sink)]) -> BearerClient {
        let domain = |name: &str| Domain::parse(name).unwrap();
        let own = [(domain(HOST), self.served.address)].into_iter();
        let others = others
            .iter()
            .map(|(name, sink)| (domain(name), sink.address));
        let authority = std::fs::read(&self.certificates.authority).unwrap();
        let guard = HttpGuard::new(
            AddressRule::of_domains([domain(HOST)]),
            Diversions::new(own.chain(others)),
            &Trust::with_authorities(&authority).unwrap(),
        );
        BearerClient::new(
            guard.unwrap(),
            Arc::clone(&self.tokens) as Arc<dyn AccessTokens>,
        )
    }

    /// Of what is granted.
    fn feed(&self) -> WhoopFeed {
        let state = self.whoop();
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
        let (feed, now) = (self.feed(), self.whoop().now);
        self.store.sync_pages(&feed, now, pages_max).await
    }

    /// The clock goes on.
    fn wait(&self, time: Duration) {
        self.whoop().now += time;
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
        let state = self.whoop();
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
