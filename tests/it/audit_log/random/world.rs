//! The running service with its model, and the steps that change both.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sextant::app::Settings;
use sextant_actors::clock::FrozenClock;
use sextant_actors::limits::TreeLimits;
use tempfile::TempDir;

use super::model::{Device, Grant, Model};
use crate::audit_log::row::{Row, rows};
use crate::mcp::support::Client;
use crate::query::chance::Chance;
use crate::support::app::settings;
use crate::support::cluster::shared;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::{Act, Fault, PostgresProxy, When};
use crate::support::{TestApp, TestDatabase};

/// In the text of every statement that reads or writes the audit log.
const AUDIT_TABLE: &str = "audit_log";
/// More refusals than a window records.
const CAP_AND_MORE: usize = 33;
/// Steps shown around a difference.
const SHOWN: usize = 6;

pub struct World {
    // Dropped first: it must disconnect before the proxy is gone.
    app: TestApp,
    way: PostgresProxy,
    /// The folder of the journal.
    journal: TempDir,
    clock: FrozenClock,
    pub client: Client,
    pub model: Model,
    pub chance: Chance,
    /// Every key that was ever made.
    pub keys: Vec<String>,
    pub requests: u64,
    /// The steps so far, and how many rows there had to be after each.
    done: Vec<(String, usize)>,
    held: Option<Arc<Fault>>,
}

impl Deref for World {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.app
    }
}

/// Settings with a journal in this folder.
fn quiet(journal: &Path) -> Settings {
    let limits = TreeLimits {
        // Sessions must end because of edits, not because the clock jumps.
        session_idle_max: Duration::from_secs(1_000_000_000),
        // So long that every row is in the journal before its answer, however busy this computer is.
        journal_patience: Duration::from_secs(60),
        ..settings().limits
    };
    Settings {
        limits,
        journal: Some(journal.to_owned()),
        ..settings()
    }
}

impl World {
    pub async fn begin(chance: Chance) -> Self {
        let now: DateTime<Utc> = "2026-03-17T12:00:00Z".parse().unwrap();
        let way = PostgresProxy::before(&shared().socket_dir).await;
        let clock = FrozenClock::at(now);
        let database = TestDatabase::create().await;
        let journal = tempfile::tempdir().unwrap();
        let app = started(&way, &journal, &clock, database).await;
        let client = Client::new(&url(&app), None);
        let mut world = Self {
            app,
            way,
            journal,
            clock,
            client,
            model: Model::at(now),
            chance,
            keys: Vec::new(),
            requests: 0,
            done: Vec::new(),
            held: None,
        };
        for target in ["finance.transactions", "contacts.groups", "contacts.groups"] {
            world.connect(target).await;
        }
        for (name, sectors) in [("all", vec!["*"]), ("money", vec!["finance", "nope"])] {
            world.grant(name, &sectors).await;
        }
        world
    }

    /// Makes a new push connection, which leaves no row.
    pub async fn connect(&mut self, target: &'static str) {
        let (id, secret) = self.push_connection(target).await;
        self.model.devices.push(Device {
            id,
            secret,
            target,
            is_paused: false,
            is_removed: false,
            rows: [].into(),
        });
    }

    /// Makes a key for a new agent, or a new one for an existing agent, which leaves no row.
    pub async fn grant(&mut self, name: &str, sectors: &[&str]) {
        let days = self.chance.is(30).then(|| 1 + self.chance.below(3));
        self.grant_for(name, sectors, days).await;
    }

    pub async fn grant_for(&mut self, name: &str, sectors: &[&str], days: Option<u64>) {
        let mut body = json!({ "name": name, "sectors": sectors });
        if let Some(days) = days {
            body["expiresInDays"] = json!(days);
        }
        let key = self.create_agent(body).await.expect(201)["key"]
            .as_str()
            .unwrap()
            .to_owned();
        self.keys.push(key.clone());
        let now = self.model.now;
        let days = days.map(|days| TimeDelta::days(i64::try_from(days).unwrap()));
        let grant = Grant {
            key,
            sectors: sectors.iter().map(|name| (*name).to_owned()).collect(),
            expires_at: days.map(|days| now + days),
            is_revoked: false,
        };
        self.model.agents.insert(name.to_owned(), grant);
    }

    pub fn note(&mut self, what: impl Into<String>) {
        self.done.push((what.into(), self.model.rows.len()));
    }

    /// Takes one random step.
    pub async fn step(mut self) -> Self {
        match self.chance.below(100) {
            0..39 => self.call_a_tool().await,
            39..49 => self.be_refused().await,
            49..51 => self.be_refused_often().await,
            51..61 => self.push().await,
            61..71 => self.act().await,
            71..79 => self.edit().await,
            79..87 => self.read_as_operator().await,
            87..93 => self.move_the_clock(),
            93..96 => self.break_audit_statements(),
            96..97 => self.lose_the_database().await,
            97..98 if self.chance.is(50) => return self.crash().await,
            97..98 => return self.restart().await,
            _ => self.connect_another().await,
        }
        self
    }

    /// Steps that a random sequence may lack: a disconnect, an expired and a revoked key, and a window that overflows
    /// and is reported.
    pub async fn do_what_is_rare(&mut self) {
        self.connect("contacts.groups").await;
        self.disconnect_the_last().await;
        self.use_keys_that_ended().await;
        self.be_refused_times(CAP_AND_MORE).await;
        self.advance(TimeDelta::seconds(60));
        self.be_refused_times(1).await;
    }

    async fn connect_another(&mut self) {
        if self.model.devices.len() < 8 {
            self.note("connects a device");
            let target = *self.chance.one_of(&super::ask::TARGETS);
            self.connect(target).await;
        }
    }

    /// By little, to the microsecond before and at a window's end, by days, and back.
    fn move_the_clock(&mut self) {
        let by = match self.chance.below(8) {
            0 | 1 => TimeDelta::seconds(self.chance.within(1, 59)),
            2 => TimeDelta::microseconds(59_999_999),
            3 => TimeDelta::microseconds(1),
            4 => TimeDelta::seconds(60),
            5 => TimeDelta::hours(self.chance.within(1, 40)),
            6 => TimeDelta::seconds(-self.chance.within(1, 90)),
            _ => TimeDelta::days(-self.chance.within(1, 400)),
        };
        self.advance(by);
    }

    pub fn advance(&mut self, by: TimeDelta) {
        self.clock.advance(by);
        self.model.now += by;
        self.note(format!("moves the clock by {by}"));
    }

    /// Makes the next statements on the audit log fail, which calls must not notice.
    fn break_audit_statements(&mut self) {
        self.release();
        let acts = [
            Act::LoseAnswer,
            Act::CutBefore,
            Act::Refuse("53100"),
            Act::Refuse("40001"),
            Act::HangUp("57P01"),
            Act::Hold,
        ];
        let act = *self.chance.one_of(&acts);
        let times = if matches!(act, Act::Hold) {
            1
        } else {
            1 + self.chance.index(3)
        };
        let when = match self.chance.below(3) {
            0 => When::CommitAfter(AUDIT_TABLE),
            _ => When::Statement(AUDIT_TABLE),
        };
        let fault = self.way.inject(when, act, times);
        self.held = matches!(act, Act::Hold).then_some(fault);
        self.note(format!("{act:?} at {when:?}, {times} times"));
    }

    fn release(&mut self) {
        if let Some(held) = self.held.take() {
            held.release();
        }
    }

    /// Cuts the database off for some calls, some of which need it.
    async fn lose_the_database(&mut self) {
        self.release();
        self.note("the database goes");
        self.way.cut_and_wait().await;
        self.model.is_away = true;
        for _ in 0..6 {
            match self.chance.below(4) {
                0 | 1 => self.call_a_tool().await,
                2 => self.be_refused().await,
                _ => self.push().await,
            }
        }
        self.note("the database comes back");
        self.way.mend();
        self.model.is_away = false;
        eventually("the database answers", async || {
            self.healthz().await.status == 200
        })
        .await;
    }

    /// Restarts the service in order: all recorded rows are there afterwards.
    async fn restart(mut self) -> Self {
        self.release();
        self.way.mend();
        let database = self.app.stop_in_order().await;
        self.app = started(&self.way, &self.journal, &self.clock, database).await;
        self.begin_anew("restarts");
        self
    }

    /// Leaves things as `kill -9` would: the database hears no more of this service, and the journal is taken over as
    /// the kernel has it.
    pub async fn crash(mut self) -> Self {
        self.release();
        assert_eq!(self.unjournaled(), 0);
        self.way.cut_and_wait().await;
        let left = std::mem::replace(&mut self.journal, tempfile::tempdir().unwrap());
        let [from, to] = [&left, &self.journal].map(|folder| folder.path().join("journal"));
        copy_files(&from, &to);
        self.way = PostgresProxy::before(&shared().socket_dir).await;
        let database = self.app.abandon();
        self.app = started(&self.way, &self.journal, &self.clock, database).await;
        self.begin_anew("crashes");
        self
    }

    fn begin_anew(&mut self, how: &str) {
        self.client = Client::new(&url(&self.app), None);
        self.model.restart();
        self.note(how);
    }

    fn unjournaled(&self) -> u64 {
        self.tree.audit.stats().journal.unjournaled_rows
    }

    /// Waits until all rows have been written, and compares them with the model.
    pub async fn end(mut self, seed: u64) -> Vec<Row> {
        self.release();
        self.way.mend();
        eventually("no row waits", async || {
            self.tree.audit.stats().waiting_rows == 0
        })
        .await;
        assert_eq!(
            (self.tree.audit.stats().dropped_rows, self.unjournaled()),
            (0, 0)
        );
        let owner = self.database.connect().await;
        let found = rows(&owner).await;
        if let Some(at) = difference(&found, &self.model.rows) {
            let near = self
                .done
                .iter()
                .filter(|(_, rows)| rows.abs_diff(at) < SHOWN);
            let near: Vec<_> = near.collect();
            panic!(
                "seed {seed}: row {at} of {} is {:#?}\nand must be {:#?}, of {}\n{near:#?}",
                found.len(),
                found.get(at),
                self.model.rows.get(at),
                self.model.rows.len()
            );
        }
        // Rows of one flush share one stamp, and flushes do not interleave (r022); the counts by hour count each row
        // once.
        let [flushes, stamps, counted] = [
            "SELECT count(*) FROM (
                SELECT created_at, lag(created_at) OVER (ORDER BY id) AS before FROM audit_log
            ) AS log WHERE before IS DISTINCT FROM created_at",
            "SELECT count(DISTINCT created_at) FROM audit_log",
            "SELECT coalesce(sum(n), 0)::bigint FROM audit_hourly",
        ];
        let number = async |sql| -> i64 { owner.query_one(sql, &[]).await.unwrap().get(0) };
        assert_eq!(number(flushes).await, number(stamps).await, "seed {seed}");
        assert_eq!(number(counted).await, i64::try_from(found.len()).unwrap());
        found
    }
}

async fn started(
    way: &PostgresProxy,
    journal: &TempDir,
    clock: &FrozenClock,
    database: TestDatabase,
) -> TestApp {
    let settings = quiet(&journal.path().join("journal"));
    TestApp::start_over_on(way, database, settings, Arc::new(clock.clone())).await
}

/// A file that has disappeared meanwhile has been written to the database.
fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for file in std::fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        match std::fs::copy(file.path(), to.join(file.file_name())) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            copied => drop(copied.unwrap()),
        }
    }
}

fn difference(found: &[Row], expected: &[Row]) -> Option<usize> {
    let longest = found.len().max(expected.len());
    (0..longest).find(|at| found.get(*at) != expected.get(*at))
}

fn url(app: &TestApp) -> String {
    format!("http://{}/mcp", app.agents)
}
