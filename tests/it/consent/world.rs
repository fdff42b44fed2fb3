//! The service, a provider at which a person consents, what that person has there, and the browser in which they sign in.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::{Method, Url};
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::providers::SourceProviders;
use sextant_actors::clock::{Clock as _, FrozenClock};
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::oauth::OAuthAddresses;
use sextant_connectors::providers::{SignInLegs, WayOut};

use crate::support::app::settings;
use crate::support::browser::Browser;
use crate::support::certificates::{self, LOOPBACK};
use crate::support::database::TestDatabase;
use crate::support::emulate::{self, Emulate, Emulated};
use crate::support::eventually::eventually;
use crate::support::single_use::SingleUseServer;
use crate::support::stand_ins::google::Google;
use crate::support::stand_ins::graph::Graph;
use crate::support::stand_ins::served::Served;
use crate::support::stand_ins::whoop::Whoop;
use crate::support::stand_ins::{Account, StandIn};
use crate::support::{TestApp, ports};

/// All of it. `L` is where the legs of a sign-in are.
pub struct World<A, L> {
    pub app: TestApp,
    pub account: StandIn<A>,
    pub legs: L,
    pub clock: FrozenClock,
    pub settings: Settings,
    pub browser: Browser,
    provider: &'static str,
    served: Served,
    _folder: tempfile::TempDir,
}

pub type AtGoogle = World<Google, Emulate>;
pub type AtMicrosoft = World<Graph, Emulate>;
pub type AtWhoop = World<Whoop, SingleUseServer>;

/// Where and as whom a person signs in.
struct Provider {
    id: &'static str,
    hosts: &'static [&'static str],
}

impl AtGoogle {
    pub async fn start(test: &str) -> Option<Self> {
        let provider = Provider {
            id: "google",
            hosts: &["www.googleapis.com", "people.googleapis.com"],
        };
        let console = ports::unused();
        let legs = Emulate::start_for(test, console).await?;
        let addresses = legs.addresses(Emulated::Google);
        let account = StandIn::new(Google::default());
        Self::start_at(test, provider, account, legs, addresses, console).await
    }
}

impl AtMicrosoft {
    pub async fn start(test: &str) -> Option<Self> {
        let provider = Provider {
            id: "microsoft",
            hosts: &["graph.microsoft.com"],
        };
        let console = ports::unused();
        let legs = Emulate::start_for(test, console).await?;
        let addresses = legs.addresses(Emulated::Microsoft);
        let account = StandIn::new(Graph::default());
        Self::start_at(test, provider, account, legs, addresses, console).await
    }
}

impl AtWhoop {
    pub async fn start(test: &str) -> Option<Self> {
        let provider = Provider {
            id: "whoop",
            hosts: &["api.prod.whoop.com"],
        };
        let legs = SingleUseServer::start_if_installed(test).await?;
        let addresses = legs.addresses();
        let account = StandIn::new(Whoop::new(now()));
        Self::start_at(test, provider, account, legs, addresses, ports::unused()).await
    }
}

impl<A: Account, L> World<A, L> {
    async fn start_at(
        test: &str,
        provider: Provider,
        account: StandIn<A>,
        legs: L,
        addresses: OAuthAddresses,
        console: u16,
    ) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = provider.hosts.iter().map(|host| format!(",DNS:{host}"));
        let names = format!("{LOOPBACK}{}", names.collect::<String>());
        let made = certificates::make(folder.path(), &names);
        let served = account.serve(test, Some((&*made.server, &*made.server_key)));
        let served = served.await;
        let to = served.address;
        let hosts = provider.hosts.iter();
        let diverted = hosts.map(|host| (Domain::parse(host).unwrap(), to));
        let way = WayOut {
            diversions: Diversions::new(diverted),
            authorities: Some(std::fs::read_to_string(&made.authority).unwrap()),
            legs: SignInLegs {
                authorize: Some(addresses.authorize),
                token: Some(addresses.token),
                revoke: addresses.revoke,
            },
        };
        let id = provider.id;
        let settings = Settings {
            console_port: console,
            providers: SourceProviders::reached(|own| match own == id {
                true => way.clone(),
                false => WayOut::default(),
            })
            .unwrap(),
            ..settings()
        };
        let clock = FrozenClock::at(now());
        let database = TestDatabase::create().await;
        let shared = Arc::new(clock.clone());
        let app = TestApp::start_on(database, settings.clone(), shared).await;
        let world = Self {
            browser: Browser::new(console),
            app,
            account,
            legs,
            clock,
            settings,
            provider: id,
            served,
            _folder: folder,
        };
        world.set_app().await;
        Some(world)
    }

    /// What the operator has registered, entered.
    pub async fn set_app(&self) {
        let app = json!({"clientId": emulate::CLIENT_ID, "clientSecret": emulate::CLIENT_SECRET});
        let path = format!("/api/oauth-apps/{}", self.provider);
        let set = self.app.request(Method::PUT, &path).json(&app);
        assert_eq!(self.app.send(set).await.status, 204);
    }

    /// The address that the page of the provider is at; `renews` is a sign-in.
    pub async fn begin(&self, renews: Option<&str>) -> Url {
        let path = format!("/api/oauth/{}/start", self.provider);
        let started = self.browser.post(&path, json!({"signInId": renews})).await;
        let url = started.expect(200)["url"].as_str().unwrap().to_owned();
        Url::parse(&url).unwrap()
    }

    /// What became of it, when the browser is sent back to this address.
    pub async fn return_to(&self, address: &Url) -> Value {
        let id = self.browser.follow(address).await;
        self.app
            .get(&format!("/api/signins/{id}"))
            .await
            .expect(200)
    }

    /// All connections by sector.
    pub async fn connections(&self) -> Vec<Value> {
        self.app.connections().await.as_array().unwrap().clone()
    }

    /// The connection of a sector.
    pub async fn connection(&self, sector: &str) -> Value {
        let all = self.connections().await.into_iter();
        let mut own = all.filter(|one| one["sector"] == sector);
        let connection = own.next().unwrap();
        assert!(own.next().is_none(), "a second connection of {sector}");
        connection
    }

    pub async fn until_health(&self, sector: &str, word: &str) -> Value {
        eventually(&format!("{sector} is {word}"), async || {
            self.connection(sector).await["health"] == word
        })
        .await;
        self.connection(sector).await
    }

    /// A round of the sector, from its beginning to its end, and what became of it.
    pub async fn fetch(&self, sector: &str) -> Value {
        let asked = json!({"target": sector, "timeout_s": 60});
        let answer = self.app.post("/api/operator/fetch_live", asked).await;
        answer.expect(200)["fetched"][0].clone()
    }

    /// A column of a table, sorted as text.
    pub async fn column(&self, target: &str, name: &str) -> Vec<Value> {
        let (sector, table) = target.split_once('.').unwrap();
        let asked = json!({"target": table, "select": [name], "limit": 1000});
        let answer = self.app.post(&format!("/api/data/{sector}"), asked).await;
        let answer = answer.expect(200);
        let rows = answer["rows"].as_array().unwrap().iter();
        let mut values: Vec<Value> = rows.map(|row| row[0].clone()).collect();
        values.sort_by_key(Value::to_string);
        values
    }

    pub async fn sign_ins(&self) -> Vec<Value> {
        let all = self.app.get("/api/signins").await.expect(200);
        all["signIns"].as_array().unwrap().clone()
    }

    /// Time goes by, for the service alone.
    pub fn advance(&self, by: TimeDelta) {
        self.clock.advance(by);
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// What was against the provider's contract so far.
    pub fn violations(&self) -> Vec<String> {
        self.served.violations()
    }
}

impl<A: Account> World<A, Emulate> {
    /// A sign-in to its end: the person consents, to these scopes alone if they are given.
    pub async fn sign_in(&self, scopes: Option<&str>) -> Value {
        self.sign_in_again(None, scopes).await
    }

    pub async fn sign_in_again(&self, renews: Option<&str>, scopes: Option<&str>) -> Value {
        let page = self.begin(renews).await;
        let back = emulate::consent(&page, scopes).await;
        self.return_to(&back).await
    }
}

/// When these tests happen.
pub fn now() -> DateTime<Utc> {
    "2026-11-02T08:00:00Z".parse().unwrap()
}
