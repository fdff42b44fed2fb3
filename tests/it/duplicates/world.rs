//! The service, two bridges to a person's banks, and the clock of all three.

use std::collections::BTreeMap;
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

/// Where the two bridges are reached.
const HOSTS: [&str; 2] = [HOST, "simplefin.example.org"];

/// All of it.
pub struct World {
    pub app: TestApp,
    pub clock: FrozenClock,
    /// The ids of the bridges' connections, once they are connected.
    pub connections: [String; 2],
    bridges: [StandIn<Bridge>; 2],
    settings: Settings,
    _served: Vec<Served>,
    _folder: tempfile::TempDir,
}

/// When these tests happen.
pub fn now() -> DateTime<Utc> {
    "2026-11-02T08:00:00Z".parse().unwrap()
}

impl World {
    /// Both bridges filled, connected and read once.
    pub async fn connected(test: &str, fill: impl FnOnce([&mut Bridge; 2])) -> Option<Self> {
        let mut world = Self::start(test).await?;
        {
            let (mut first, mut second) = (world.bridge(0), world.bridge(1));
            fill([&mut first, &mut second]);
        }
        for (place, host) in HOSTS.into_iter().enumerate() {
            let token = Bridge::setup_token_of(host);
            let mut credentials = json!({ "token": token });
            if place > 0 {
                credentials["server"] = host.into();
            }
            let entered = json!({"provider": "simplefin", "credentials": credentials});
            let made = world.app.create_connection(entered).await.expect(201);
            let id = made["connections"][0]["id"].as_str().unwrap().to_owned();
            eventually("the bridge is read", async || {
                world.app.connection(&id).await.expect(200)["health"] == "ok"
            })
            .await;
            world.connections[place] = id;
        }
        Some(world)
    }

    async fn start(test: &str) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = HOSTS.map(|host| format!("DNS:{host}")).join(",");
        let made = certificates::make(folder.path(), &format!("{LOOPBACK},{names}"));
        let bridges = HOSTS.map(|host| {
            let mut bridge = Bridge::new(now());
            bridge.host = host;
            StandIn::new(bridge)
        });
        let (mut served, mut diversions) = (Vec::new(), Vec::new());
        for (bridge, host) in bridges.iter().zip(HOSTS) {
            let certificate = (&*made.server, &*made.server_key);
            let one = bridge.serve(test, Some(certificate)).await;
            diversions.push((Domain::parse(host).unwrap(), one.address));
            served.push(one);
        }
        let way = WayOut {
            diversions: Diversions::new(diversions),
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
        let shared = Arc::new(clock.clone());
        let database = TestDatabase::create().await;
        Some(Self {
            app: TestApp::start_on(database, settings.clone(), shared).await,
            clock,
            connections: Default::default(),
            bridges,
            settings,
            _served: served,
            _folder: folder,
        })
    }

    pub fn bridge(&self, place: usize) -> MutexGuard<'_, Bridge> {
        self.bridges[place].state()
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

    /// Three hours later both bridges are read.
    pub async fn fetch(&self) {
        self.clock.advance(TimeDelta::hours(3));
        for place in [0, 1] {
            self.bridge(place).now = self.clock.now();
        }
        let asked = json!({"target": "finance", "timeout_s": 60});
        let answer = self.app.post("/api/operator/fetch_live", asked).await;
        let answer = answer.expect(200);
        for one in answer["fetched"].as_array().unwrap() {
            let outcome = one["outcome"].as_str().unwrap();
            assert!(["fetched", "push_only"].contains(&outcome), "{answer}");
        }
    }

    /// Whatever a query of finance answers.
    pub async fn ask(&self, asked: Value) -> Value {
        self.app.post("/api/data/finance", asked).await.expect(200)
    }

    /// Columns of a table's rows, in the order of all of them.
    pub async fn rows(&self, table: &str, columns: &[&str]) -> Value {
        let order: Vec<&str> = columns
            .iter()
            .copied()
            .filter(|name| *name != "raw")
            .collect();
        let asked = json!({
            "target": table, "select": columns, "order_by": order, "limit": 1000, "budget": 25000,
        });
        self.ask(asked).await["rows"].clone()
    }

    /// Amounts and days of what is served.
    pub async fn moved(&self) -> Vec<(String, String)> {
        let rows = self.rows("transactions", &["booked_on", "amount"]).await;
        let rows = rows.as_array().unwrap().iter();
        let plain = |row: &Value| {
            let amount = row[1].to_string().trim_end_matches(".0000").to_owned();
            (row[0].as_str().unwrap().to_owned(), amount)
        };
        rows.map(plain).collect()
    }

    /// The pairs in a state, `open` or `answered`.
    pub async fn pairs(&self, state: &str) -> Vec<Value> {
        let path = format!("/api/finance/duplicates?state={state}");
        let listed = self.app.get(&path).await.expect(200);
        listed["rows"].as_array().unwrap().clone()
    }

    /// The operator's answer to a pair: `confirm` or `unconfirm`.
    pub async fn answer(&self, pair: &Value, verb: &str) -> Answer {
        let id = pair["id"].as_str().unwrap();
        let path = format!("/api/finance/duplicates/{id}/{verb}");
        self.app.post(&path, json!({})).await
    }

    /// A connection that devices push to.
    pub async fn device(&self, target: &str) -> Device {
        let (id, secret) = self.app.push_connection(target).await;
        Device { id, secret }
    }

    /// What is served is the same by whichever way it is asked for: the rows, their number, the sums of months, the balances' accounts
    /// and the accounts that rows name.
    pub async fn is_consistent(&self) {
        let client = self.app.database.connect().await;
        for (what, difference) in DIFFERENCES {
            let rows = client.query(*difference, &[]).await.unwrap();
            assert!(rows.is_empty(), "{what}: {} rows", rows.len());
        }
    }
}

/// What must be empty.
const DIFFERENCES: &[(&str, &str)] = &[
    (
        "sums of months",
        "(SELECT account_id, date_trunc('month', booked_on)::date, sum(amount), count(*) FROM finance.transactions
            WHERE deleted_at IS NULL GROUP BY 1, 2)
        EXCEPT
        (SELECT account_id, booked_on, sum(amount), sum(rows) FROM sums.transactions_by_month GROUP BY 1, 2)",
    ),
    (
        "counts",
        "SELECT target FROM sums.counts WHERE field = '' AND rows <> CASE target
            WHEN 'finance.transactions' THEN (SELECT count(*) FROM finance.transactions WHERE deleted_at IS NULL)
            WHEN 'finance.accounts' THEN (SELECT count(*) FROM finance.accounts WHERE deleted_at IS NULL)
            WHEN 'finance.balances' THEN (SELECT count(*) FROM finance.balances WHERE deleted_at IS NULL)
            ELSE rows END",
    ),
    (
        "rows of accounts that are not served",
        "SELECT t.id FROM finance.transactions AS t JOIN finance.accounts AS a ON a.id = t.account_id
        WHERE t.deleted_at IS NULL AND a.hidden_by IS NOT NULL",
    ),
    (
        "balances of accounts that are not served",
        "SELECT b.id FROM finance.balances AS b JOIN finance.accounts AS a ON a.id = b.account_id
        WHERE b.deleted_at IS NULL AND a.deleted_at IS NOT NULL",
    ),
    (
        "rows that are hidden by what is not served",
        "SELECT t.id FROM finance.transactions AS t LEFT JOIN finance.transactions AS by ON by.id = t.hidden_by
        WHERE t.hidden_by IS NOT NULL AND by.deleted_at IS NOT NULL OR t.hidden_by IS NOT NULL AND by.id IS NULL",
    ),
    (
        "marks that are left",
        "SELECT account_id FROM evidence.stale_balances",
    ),
];

/// A push connection.
pub struct Device {
    pub id: String,
    secret: String,
}

impl Device {
    /// Pushes a body that must be stored.
    pub async fn push(&self, world: &World, body: Value) -> Value {
        world.app.push((&self.id, &self.secret), &body).await
    }
}

/// Reads a table once, and then by change cursors alone.
pub struct Follower {
    table: &'static str,
    select: Vec<&'static str>,
    cursor: Value,
    rows: BTreeMap<String, Value>,
}

impl Follower {
    pub fn of(table: &'static str, select: &[&'static str]) -> Self {
        let select = ["id"].into_iter().chain(select.iter().copied());
        Self {
            table,
            select: select.collect(),
            cursor: Value::Null,
            rows: BTreeMap::new(),
        }
    }

    /// Follows, and compares what it holds with what is there.
    pub async fn catches_up(&mut self, world: &World) {
        let mut asked = json!({
            "target": self.table, "select": self.select, "limit": 1000, "budget": 25000, "changed_since": self.cursor,
        });
        loop {
            let told = world.ask(asked.clone()).await;
            for row in told["rows"].as_array().unwrap() {
                self.rows
                    .insert(row[0].as_str().unwrap().to_owned(), row.clone());
            }
            for id in told["deleted"].as_array().into_iter().flatten() {
                self.rows.remove(id.as_str().unwrap());
            }
            match told.get("next_cursor").filter(|cursor| !cursor.is_null()) {
                Some(cursor) => asked["cursor"] = cursor.clone(),
                None => {
                    self.cursor = told["change_cursor"].clone();
                    break;
                }
            }
        }
        let present = world.rows(self.table, &self.select).await;
        let held: Vec<&Value> = self.rows.values().collect();
        assert_eq!(json!(held), present, "{}", self.table);
    }
}
