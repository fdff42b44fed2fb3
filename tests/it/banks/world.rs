//! The service, a bridge or an aggregator with a person's banks, and the clock of both.

use std::sync::{Arc, MutexGuard};

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::{Method, Url};
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::providers::SourceProviders;
use sextant_actors::clock::{Clock as _, FrozenClock};
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::providers::WayOut;

use crate::support::TestApp;
use crate::support::app::{Answer, settings};
use crate::support::browser::Browser;
use crate::support::certificates::{self, LOOPBACK};
use crate::support::database::TestDatabase;
use crate::support::eventually::eventually;
use crate::support::ports;
use crate::support::stand_ins::enable_banking::keys::keys;
use crate::support::stand_ins::enable_banking::{self, APPLICATION, Aggregator};
use crate::support::stand_ins::served::Served;
use crate::support::stand_ins::simplefin::{self, Bridge};
use crate::support::stand_ins::{Account, StandIn};

/// All of it: a bridge, or an aggregator at which banks are linked.
pub struct World<A = Bridge> {
    pub app: TestApp,
    pub clock: FrozenClock,
    pub browser: Browser,
    bank: StandIn<A>,
    settings: Settings,
    _served: Vec<Served>,
    _folder: tempfile::TempDir,
}

/// When these tests happen.
pub fn now() -> DateTime<Utc> {
    "2026-11-02T08:00:00Z".parse().unwrap()
}

impl World {
    /// A bridge.
    pub async fn start(test: &str) -> Option<Self> {
        let bridge = StandIn::new(Bridge::new(now()));
        Self::start_at(test, ("simplefin", simplefin::HOST), bridge, None).await
    }

    /// With the bridge connected, and read once.
    pub async fn connected(test: &str, fill: impl FnOnce(&mut Bridge)) -> Option<Self> {
        let world = Self::start(test).await?;
        fill(&mut world.bridge());
        world.connect(&Bridge::setup_token()).await.expect(201);
        world.until_health("ok").await;
        Some(world)
    }

    pub fn bridge(&self) -> MutexGuard<'_, Bridge> {
        self.bank.state()
    }

    /// What is entered for the bridge.
    pub async fn connect(&self, token: &str) -> Answer {
        let entered = json!({"provider": "simplefin", "credentials": {"token": token}});
        self.app.create_connection(entered).await
    }

    /// The clock of both goes on.
    pub fn wait(&self, time: TimeDelta) {
        self.clock.advance(time);
        self.bridge().now = self.clock.now();
    }
}

impl World<Aggregator> {
    /// An aggregator, whose application is known here.
    pub async fn start_linking(test: &str) -> Option<Self> {
        Self::start_linking_beside(test, None).await
    }

    /// The same with a bridge, which is not connected yet.
    pub async fn start_linking_beside(test: &str, bridge: Option<Bridge>) -> Option<Self> {
        let aggregator = StandIn::new(Aggregator::new(now()));
        let at = ("bank_app", enable_banking::HOST);
        let world = Self::start_at(test, at, aggregator, bridge).await?;
        world.aggregator().redirects = vec![world.callback()];
        let app = json!({"clientId": APPLICATION, "clientSecret": keys().private});
        let set = world
            .app
            .request(Method::PUT, "/api/aggregator-apps/bank_app")
            .json(&app);
        assert_eq!(world.app.send(set).await.status, 204);
        Some(world)
    }

    /// Where a browser comes back to by itself.
    pub fn callback(&self) -> String {
        let port = self.settings.console_port;
        format!("http://localhost:{port}/oauth/bank_app/callback")
    }

    pub fn aggregator(&self) -> MutexGuard<'_, Aggregator> {
        self.bank.state()
    }

    /// The clock of both goes on.
    pub fn go_on(&self, time: TimeDelta) {
        self.clock.advance(time);
        self.aggregator().now = self.clock.now();
    }

    /// Links the bank for these accounts, again if there is a sign-in; what became of it.
    pub async fn link(&self, accounts: &[&str], renews: Option<&str>) -> Value {
        let asked = match renews {
            Some(id) => json!({"signInId": id}),
            None => json!({"country": "FI", "bank": "Bank of Test"}),
        };
        self.link_as(accounts, asked).await
    }

    /// The same as it is asked for.
    pub async fn link_as(&self, accounts: &[&str], asked: Value) -> Value {
        let (_, back) = self.begin_link(accounts, asked).await;
        let id = self.browser.follow(&back).await;
        self.app
            .get(&format!("/api/signins/{id}"))
            .await
            .expect(200)
    }

    /// What was answered, and the address with which the person comes back who has consented at the bank.
    pub async fn begin_link(&self, accounts: &[&str], asked: Value) -> (Value, Url) {
        let begun = self
            .browser
            .post("/api/aggregator-apps/bank_app/link", asked)
            .await;
        let begun = begun.expect(200);
        let (state, code) = {
            let mut aggregator = self.aggregator();
            let state = aggregator.begun.keys().next_back().unwrap().clone();
            let code = aggregator.consent(&state, accounts);
            (state, code)
        };
        let back = format!("http://localhost/oauth/bank_app/callback?code={code}&state={state}");
        (begun, Url::parse(&back).unwrap())
    }
}

impl<A: Account> World<A> {
    async fn start_at(
        test: &str,
        (provider, host): (&str, &str),
        bank: StandIn<A>,
        beside: Option<Bridge>,
    ) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("{LOOPBACK},DNS:{host},DNS:{}", simplefin::HOST);
        let made = certificates::make(folder.path(), &names);
        let certificate = Some((&*made.server, &*made.server_key));
        let mut served = vec![bank.serve(test, certificate).await];
        let mut diversions = vec![(Domain::parse(host).unwrap(), served[0].address)];
        let mut diverted = vec![provider];
        if let Some(bridge) = beside {
            let bridge = StandIn::new(bridge).serve(test, certificate).await;
            diversions.push((Domain::parse(simplefin::HOST).unwrap(), bridge.address));
            diverted.push("simplefin");
            served.push(bridge);
        }
        let way = WayOut {
            diversions: Diversions::new(diversions),
            authorities: Some(std::fs::read_to_string(&made.authority).unwrap()),
            ..WayOut::default()
        };
        let providers = SourceProviders::reached(|id| match diverted.contains(&id) {
            true => way.clone(),
            false => WayOut::default(),
        });
        let settings = Settings {
            console_port: ports::unused(),
            providers: providers.unwrap(),
            ..settings()
        };
        let clock = FrozenClock::at(now());
        let database = TestDatabase::create().await;
        let shared = Arc::new(clock.clone());
        Some(Self {
            app: TestApp::start_on(database, settings.clone(), shared).await,
            clock,
            browser: Browser::new(settings.console_port),
            bank,
            settings,
            _served: served,
            _folder: folder,
        })
    }

    /// Another process on the same database.
    pub async fn restart(self) -> Self {
        let database = self.app.abandon();
        let clock = Arc::new(self.clock.clone());
        let settings = Settings {
            console_port: 0,
            ..self.settings.clone()
        };
        Self {
            app: TestApp::start_on(database, settings, clock).await,
            ..self
        }
    }

    /// The one connection.
    pub async fn connection(&self) -> Value {
        let all = self.app.connections().await;
        let [one] = all.as_array().unwrap().as_slice() else {
            panic!("{all}");
        };
        one.clone()
    }

    pub async fn until_health(&self, word: &str) -> Value {
        eventually(&format!("the banks are {word}"), async || {
            self.connection().await["health"] == word
        })
        .await;
        self.connection().await
    }

    /// The connection once all has been read that is due; one whose consent has ended waits for the person.
    pub async fn until_read(&self) -> Value {
        let now = self.clock.now();
        let mut shown = Value::Null;
        eventually("what was due has been read", async || {
            shown = self.connection().await;
            let next = shown["nextSyncAt"].as_str();
            let next = next.and_then(|at| at.parse::<DateTime<Utc>>().ok());
            match shown["health"].as_str() {
                Some("syncing") => false,
                Some("consent_expired") => true,
                _ => next.is_some_and(|next| next > now),
            }
        })
        .await;
        shown
    }

    /// A round from its beginning to its end, and what became of it.
    pub async fn fetch(&self) -> Value {
        let asked = json!({"target": "finance", "timeout_s": 60});
        let answer = self.app.post("/api/operator/fetch_live", asked).await;
        answer.expect(200)["fetched"][0].clone()
    }

    /// What the agent of this key is answered to a query.
    pub async fn ask(&self, key: &str, query: &Value) -> Value {
        let asked = self.app.request(Method::POST, "/api/read/query");
        let answer = self.app.send(asked.bearer_auth(key).json(query)).await;
        answer.expect(200)
    }

    /// That no table which knows of sign-ins and what they bring holds one of these texts as it is.
    pub async fn assert_nowhere_stored(&self, secrets: &[&str]) {
        let client = self.app.database.connect().await;
        for table in [
            "sign_ins",
            "provider_apps",
            "connections",
            "sync_cursors",
            "sync_runs",
            "audit_log",
            "finance.accounts",
            "source_items",
        ] {
            let rows = format!("SELECT coalesce(string_agg(t::text, ' '), '') FROM {table} AS t");
            let rows: String = client.query_one(&rows, &[]).await.unwrap().get(0);
            assert!(!secrets.iter().any(|own| rows.contains(own)), "{table}");
        }
    }

    /// Columns of a table's rows, in their order by the first.
    pub async fn rows(&self, table: &str, columns: &[&str]) -> Vec<Value> {
        let asked =
            json!({"target": table, "select": columns, "order_by": [columns[0]], "limit": 1000});
        let answer = self.app.post("/api/data/finance", asked).await.expect(200);
        answer["rows"].as_array().unwrap().clone()
    }
}
