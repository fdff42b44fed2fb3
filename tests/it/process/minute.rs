//! The database stopped for some seconds (for a minute with `scripts/without_database.sh`) under the real process, while agents
//! call and devices push.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::crashes::{Frozen, coffee, stored};
use super::memory::{memory_at_most, memory_now};
use super::service::{Device, postgres_socket};
use super::{Service, Setup};
use crate::mcp::support::{Client, json_of, soon};
use crate::support::cluster::{config, connect};
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

/// The length of the experiment.
const STOPPED_FOR: Duration = Duration::from_secs(60);
/// Agents at one time, each with a device.
const VISITORS: usize = 3;
/// Calls of one round that need no database.
const CALLS_PER_ROUND: usize = 30;
/// What a minute of waiting rows may cost.
const RISE_KIB_MAX: u64 = 64 * 1024;

/// What the record is to hold: a row for each of these, by tool, decision and outcome.
type Tally = BTreeMap<String, usize>;

/// An agent with a device, and what they have done.
struct Visitor<'a> {
    service: &'a Service,
    number: usize,
    agent: Client,
    device: Device,
    rounds: usize,
    tally: Tally,
    acknowledged: Vec<String>,
}

impl<'a> Visitor<'a> {
    async fn of(service: &'a Service, number: usize) -> Self {
        let key = service
            .key(&format!("agent{number}"), &["finance", "home"])
            .await;
        Self {
            service,
            number,
            agent: Client::new(&service.agents, Some(key)),
            device: service.device("finance.transactions").await,
            rounds: 0,
            tally: Tally::new(),
            acknowledged: Vec::new(),
        }
    }

    fn count(&mut self, row: &str) {
        *self.tally.entry(row.to_owned()).or_default() += 1;
    }

    /// A round of everything; nothing in it may hang, and what needs no database may not fail.
    async fn round(&mut self) {
        self.rounds += 1;
        for call in 0..CALLS_PER_ROUND {
            let place = format!("home.a{}-{}-{call}", self.number, self.rounds);
            let answer = self.call("list_actions", json!({ "target": place })).await;
            assert_eq!(answer["result"]["isError"], false, "{answer}");
            self.count("list_actions allow ok");
        }
        let denied = self
            .call("query", json!({ "target": "mail.messages" }))
            .await;
        assert_eq!(
            denied["result"]["content"][0]["text"],
            "access denied: mail"
        );
        self.count("query deny -");
        let id = format!("v{}-{}", self.number, self.rounds);
        let asked = self.call("query", json!({ "target": "finance.transactions" }));
        let (asked, pushed) = join(asked, self.push(&id)).await;
        let text = asked["result"]["content"][0]["text"].as_str().unwrap();
        match asked["result"]["isError"] == false {
            true => self.count("query allow ok"),
            false => {
                assert!(
                    text.contains("the database cannot be reached now"),
                    "{text}"
                );
                self.count("query allow error");
            }
        }
        match pushed {
            200 => {
                self.count("ingest allow ok");
                self.acknowledged.push(id);
            }
            status => {
                assert_eq!(status, 503);
                self.count("ingest allow error");
            }
        }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let (status, answer) = json_of(self.agent.modern_call(tool, arguments)).await;
        assert_eq!(status, 200, "{answer}");
        answer
    }

    async fn push(&self, id: &str) -> u16 {
        let body = json!([coffee(id)]).to_string();
        let sent = self.service.push(&self.device, body).send();
        soon("a push is answered", sent)
            .await
            .unwrap()
            .status()
            .as_u16()
    }
}

async fn round(visitors: &mut [Visitor<'_>]) {
    join_all(visitors.iter_mut().map(Visitor::round)).await;
}

/// The record's rows, by tool, decision and outcome; and how many distinct calls of `list_actions` there are.
async fn record(service: &Service) -> (Tally, usize) {
    let client = connect(&config(&postgres_socket(service), "postgres", "sextant")).await;
    let rows = "SELECT concat_ws(' ', tool, decision, coalesce(outcome, '-')), count(*) FROM audit_log GROUP BY 1";
    let rows = client.query(rows, &[]).await.unwrap();
    let count = |number: i64| usize::try_from(number).unwrap();
    let tally = rows
        .iter()
        .map(|row| (row.get(0), count(row.get(1))))
        .collect();
    let distinct = "SELECT count(DISTINCT args) FROM audit_log WHERE tool = 'list_actions'";
    let distinct = client.query_one(distinct, &[]).await.unwrap().get(0);
    (tally, count(distinct))
}

#[test]
fn r502_a_minute_without_the_database_under_load_loses_no_row_and_no_acknowledged_push() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let mut visitors = Vec::new();
        for number in 0..VISITORS {
            visitors.push(Visitor::of(&service, number).await);
        }
        round(&mut visitors).await;
        let before = memory_now(service.pid());
        let frozen = Frozen::at(service.postgres());
        let stopped = Instant::now();
        while stopped.elapsed() < STOPPED_FOR {
            round(&mut visitors).await;
            assert_eq!(service.health().await.unwrap().as_u16(), 503);
        }
        let rise = memory_at_most(service.pid()).saturating_sub(before);
        assert!(rise <= RISE_KIB_MAX, "{rise} KiB");
        frozen.thaw();
        service.becomes(200).await;
        round(&mut visitors).await;
        expect_everything_once(&service, &visitors).await;
        drop(visitors);
        service.stop(Signal::SIGTERM).await;
    });
}

async fn expect_everything_once(service: &Service, visitors: &[Visitor<'_>]) {
    let mut expected = Tally::new();
    for (row, times) in visitors.iter().flat_map(|visitor| &visitor.tally) {
        *expected.entry(row.clone()).or_default() += times;
    }
    let during = visitors.iter().map(|visitor| visitor.rounds).sum::<usize>();
    assert!(during > VISITORS * 4, "load went on: {during} rounds");
    let mut found = (Tally::new(), 0);
    eventually("every row has landed", async || {
        found = record(service).await;
        found.0.values().sum::<usize>() >= expected.values().sum::<usize>()
    })
    .await;
    assert_eq!(found.0, expected);
    assert_eq!(found.1, expected["list_actions allow ok"], "each its own");
    let times = stored(service).await;
    let acknowledged: HashSet<&String> = visitors
        .iter()
        .flat_map(|visitor| &visitor.acknowledged)
        .collect();
    assert!(acknowledged.len() >= 2 * VISITORS, "before and after");
    assert!(acknowledged.iter().all(|id| times.get(*id) == Some(&1)));
    assert!(times.values().all(|times| *times == 1));
}
