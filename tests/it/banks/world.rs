//! The service, a bridge with a person's banks, and the clock of both.

use std::sync::{Arc, MutexGuard};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::providers::SourceProviders;
use sextant_actors::clock::{Clock as _, FrozenClock};
use sextant_connectors::guard::{Diversions, Domain};
use sextant_connectors::providers::WayOut;

use crate::support::TestApp;
use crate::support::app::{Answer, settings};
use crate::support::certificates::{self, LOOPBACK};
use crate::support::database::TestDatabase;
use crate::support::eventually::eventually;
use crate::support::stand_ins::StandIn;
use crate::support::stand_ins::served::Served;
use crate::support::stand_ins::simplefin::{Bridge, HOST};

/// All of it.
pub struct World {
    pub app: TestApp,
    pub clock: FrozenClock,
    bridge: StandIn<Bridge>,
    settings: Settings,
    _served: Served,
    _folder: tempfile::TempDir,
}

/// When these tests happen.
pub fn now() -> DateTime<Utc> {
    "2026-11-02T08:00:00Z".parse().unwrap()
}

impl World {
    pub async fn start(test: &str) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let made = certificates::make(folder.path(), &format!("{LOOPBACK},DNS:{HOST}"));
        let bridge = StandIn::new(Bridge::new(now()));
        let certificate = (&*made.server, &*made.server_key);
        let served = bridge.serve(test, Some(certificate)).await;
        let way = WayOut {
            diversions: Diversions::new([(Domain::parse(HOST).unwrap(), served.address)]),
            authorities: Some(std::fs::read_to_string(&made.authority).unwrap()),
            ..WayOut::default()
        };
        let providers = SourceProviders::reached(|id| match id {
            "simplefin" => way.clone(),
            _ => WayOut::default(),
        });
        let settings = Settings {
            providers: providers.unwrap(),
            ..settings()
        };
        let clock = FrozenClock::at(now());
        let database = TestDatabase::create().await;
        let shared = Arc::new(clock.clone());
        Some(Self {
            app: TestApp::start_on(database, settings.clone(), shared).await,
            clock,
            bridge,
            settings,
            _served: served,
            _folder: folder,
        })
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
        self.bridge.state()
    }

    /// What is entered for the bridge.
    pub async fn connect(&self, token: &str) -> Answer {
        let entered = json!({"provider": "simplefin", "credentials": {"token": token}});
        self.app.create_connection(entered).await
    }

    /// Another process on the same database.
    pub async fn restart(self) -> Self {
        let database = self.app.abandon();
        let clock = Arc::new(self.clock.clone());
        Self {
            app: TestApp::start_on(database, self.settings.clone(), clock).await,
            ..self
        }
    }

    /// The clock of both goes on.
    pub fn wait(&self, time: TimeDelta) {
        self.clock.advance(time);
        self.bridge().now = self.clock.now();
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

    /// A round from its beginning to its end, and what became of it.
    pub async fn fetch(&self) -> Value {
        let asked = json!({"target": "finance", "timeout_s": 60});
        let answer = self.app.post("/api/operator/fetch_live", asked).await;
        answer.expect(200)["fetched"][0].clone()
    }

    /// Columns of a table's rows, in their order by the first.
    pub async fn rows(&self, table: &str, columns: &[&str]) -> Vec<Value> {
        let asked =
            json!({"target": table, "select": columns, "order_by": [columns[0]], "limit": 1000});
        let answer = self.app.post("/api/data/finance", asked).await.expect(200);
        answer["rows"].as_array().unwrap().clone()
    }
}
