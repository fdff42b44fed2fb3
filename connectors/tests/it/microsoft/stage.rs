//! An account at the stand-in, what is stored of it, and rounds.

use std::net::SocketAddr;
use std::sync::{Arc, MutexGuard};

use async_trait::async_trait;
use chrono::{DateTime, Duration, TimeZone as _, Utc};
use sextant_connectors::bearer::{AccessTokens, BearerClient};
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::{AddressRule, Diversions, Domain, HttpGuard, Trust};
use sextant_connectors::microsoft::{GraphCalendarFeed, GraphContactsFeed, GraphMailFeed};
use sextant_connectors::round::{Feed, Round, RoundRequest};

use crate::support::certificates::{self, Certificates};
use crate::support::sink::Sink;
use crate::support::stand_ins::StandIn;
use crate::support::stand_ins::bearers::Bearers;
use crate::support::stand_ins::graph::Graph;
use crate::support::stand_ins::served::Served;
use crate::support::store::Store;
use crate::support::tokens::Tokens;

const HOST: &str = "graph.microsoft.com";

/// Which feed is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sector {
    Contacts,
    Mail,
    Calendar,
}

/// The account.
pub struct World {
    graph: StandIn<Graph>,
    served: Served,
    pub elsewhere: Sink,
    pub store: Store,
    pub sector: Sector,
    pub now: DateTime<Utc>,
    /// How far back is wanted.
    pub back: Option<Duration>,
    certificates: Certificates,
    pub tokens: Arc<Tokens>,
    _folder: tempfile::TempDir,
}

/// A feed of which no more is wanted than since an instant.
struct Windowed {
    feed: Box<dyn Feed>,
    since: Option<DateTime<Utc>>,
}

#[async_trait]
impl Feed for Windowed {
    async fn check(&self) -> Result<(), SourceFailure> {
        self.feed.check().await
    }

    async fn begin(&self, request: RoundRequest) -> Result<Box<dyn Round>, SourceFailure> {
        let since = self.since;
        self.feed.begin(RoundRequest { since, ..request }).await
    }
}

impl World {
    pub async fn start(test: &str, sector: Sector) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("subjectAltName=DNS:{HOST},DNS:elsewhere.test");
        let certificates = certificates::make(folder.path(), &names);
        let graph = StandIn::new(Graph::default());
        graph.state().bearers = Bearers::only("token-1");
        let certificate = (&*certificates.server, &*certificates.server_key);
        let served = graph.serve(test, Some(certificate)).await;
        let elsewhere = Sink::start(Some(certificate), |_| Vec::new()).await;
        Some(Self {
            graph,
            served,
            elsewhere,
            store: Store::default(),
            sector,
            now: Utc.with_ymd_and_hms(2026, 3, 2, 12, 0, 0).unwrap(),
            back: None,
            certificates,
            tokens: Arc::new(Tokens::new("token-1")),
            _folder: folder,
        })
    }

    pub fn graph(&self) -> MutexGuard<'_, Graph> {
        self.graph.state()
    }

    /// The same account without TLS and without a token, for clients that know neither.
    pub async fn plain(&self, test: &str) -> Served {
        self.graph().is_strict = false;
        self.graph.serve(test, None).await
    }

    pub fn bearer(&self) -> BearerClient {
        let led: [(&str, SocketAddr); 2] = [
            (HOST, self.served.address),
            ("elsewhere.test", self.elsewhere.address),
        ];
        let led = led.map(|(name, to)| (Domain::parse(name).unwrap(), to));
        let authority = std::fs::read(&self.certificates.authority).unwrap();
        let trust = Trust::with_authorities(&authority).unwrap();
        let rule = AddressRule::of_domains(Domain::parse(HOST));
        let guard = HttpGuard::new(rule, Diversions::new(led), &trust).unwrap();
        BearerClient::new(guard, Arc::clone(&self.tokens) as Arc<dyn AccessTokens>)
    }

    pub fn feed(&self) -> Box<dyn Feed> {
        let bearer = self.bearer();
        match self.sector {
            Sector::Contacts => Box::new(GraphContactsFeed::new(bearer)),
            Sector::Mail => Box::new(GraphMailFeed::new(bearer)),
            Sector::Calendar => Box::new(GraphCalendarFeed::new(bearer)),
        }
    }

    /// A round to its end, a quarter of an hour after the one before.
    pub async fn sync(&mut self) -> Result<(), SourceFailure> {
        self.sync_pages(usize::MAX).await
    }

    /// A round that is cut off after some pages.
    pub async fn sync_pages(&mut self, pages_max: usize) -> Result<(), SourceFailure> {
        self.now += Duration::minutes(15);
        let feed = Windowed {
            feed: self.feed(),
            since: self.back.map(|back| self.now - back),
        };
        self.store.sync_pages(&feed, self.now, pages_max).await
    }

    /// The store has what a collection has, in the same version.
    pub fn assert_equal(&self, scope: &str, collection: &str) {
        let there = self.graph().there(collection);
        let stored = self.store.items.iter().filter(|((own, _), _)| own == scope);
        let stored: Vec<_> = stored
            .map(|((_, key), item)| (key.as_str(), item.version.as_str()))
            .collect();
        let there: Vec<_> = there
            .iter()
            .map(|(id, object)| (id.as_str(), object["@odata.etag"].as_str().unwrap()))
            .collect();
        assert_eq!(stored, there);
    }

    /// How many requests had this in their line since last asked.
    pub fn asked(&self, what: &str) -> usize {
        let requests = std::mem::take(&mut self.graph().requests);
        requests
            .iter()
            .filter(|request| request.contains(what))
            .count()
    }
}
