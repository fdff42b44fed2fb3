//! The database stopped for some seconds (for a minute with `scripts/without_database.sh`) under the real process,
//! while agents call and devices push.

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

/// The variable with the length of the experiment in seconds, and the default.
const STOPPED_VARIABLE: &str = "SEXTANT_STOPPED_S";
const STOPPED_S: u64 = 8;
/// Agents at one time, each with a device.
const VISITORS: usize = 3;
/// Calls of one round that need no database.
const CALLS_PER_ROUND: usize = 30;
/// What a minute of waiting rows may cost in memory.
const RISE_KIB_MAX: u64 = 64 * 1024;

/// The expected numbers of audit rows, by tool, decision and outcome.
type Tally = BTreeMap<String, usize>;

/// An agent with a device, and what they have done.
struct Visitor<'a> {
    service: &'a Service,
    number: usize,
    agent: Client,
    /// An agent that may read nothing: its whole context is known without the database.
    nobody: Client,
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
        let nothing = service.key(&format!("nobody{number}"), &[]).await;
        Self {
            service,
            number,
            nobody: Client::new(&service.agents, Some(nothing)),
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

    /// One round of all requests; none may hang, and those that need no database may not fail.
    async fn round(&mut self) {
        self.rounds += 1;
        for call in 0..CALLS_PER_ROUND {
            let place = format!("home.a{}-{}-{call}", self.number, self.rounds);
            let answer = self.call("list_actions", json!({ "target": place })).await;
            assert_eq!(answer["result"]["isError"], false, "{answer}");
            self.count("list_actions allow ok");
        }
        let context = self.nobody.modern_call("describe_context", json!({}));
        assert_eq!(json_of(context).await.1["result"]["isError"], false);
        self.count("describe_context allow ok");
        let wrong = Device {
            secret: "wrong".to_owned(),
            ..self.device.clone()
        };
        assert_eq!(self.push_by(&wrong, "never").await, 401);
        self.count("ingest deny -");
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
        self.push_by(&self.device, id).await
    }

    async fn push_by(&self, device: &Device, id: &str) -> u16 {
        let body = json!([coffee(id)]).to_string();
        let sent = self.service.push(device, body).send();
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

/// The numbers of audit rows by tool, decision and outcome; and the targets of `list_actions` in the order of the
/// rows.
async fn record(service: &Service) -> (Tally, Vec<String>) {
    let client = connect(&config(&postgres_socket(service), "postgres", "sextant")).await;
    let rows = "SELECT concat_ws(' ', tool, decision, coalesce(outcome, '-')), count(*) FROM audit_log GROUP BY 1";
    let rows = client.query(rows, &[]).await.unwrap();
    let count = |number: i64| usize::try_from(number).unwrap();
    let tally = rows
        .iter()
        .map(|row| (row.get(0), count(row.get(1))))
        .collect();
    let targets = "SELECT args->>'target' FROM audit_log WHERE tool = 'list_actions' ORDER BY id";
    let targets = client.query(targets, &[]).await.unwrap();
    (tally, targets.iter().map(|row| row.get(0)).collect())
}

/// How long the database is stopped.
#[expect(
    clippy::disallowed_methods,
    reason = "a test's own settings come from the environment"
)]
fn stopped_for() -> Duration {
    let asked = std::env::var(STOPPED_VARIABLE).ok();
    Duration::from_secs(asked.map_or(STOPPED_S, |text| text.parse().unwrap()))
}

#[test]
fn r502_r024_without_the_database_under_load_no_row_is_lost_and_nothing_waits_that_does_not_need_it()
 {
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
        while stopped.elapsed() < stopped_for() {
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
    assert!(during >= VISITORS * 3, "load went on: {during} rounds");
    let mut found = (Tally::new(), Vec::new());
    eventually("every row has landed", async || {
        found = record(service).await;
        found.0.values().sum::<usize>() >= expected.values().sum::<usize>()
    })
    .await;
    assert_eq!(found.0, expected);
    for visitor in visitors {
        let own = format!("home.a{}-", visitor.number);
        let landed: Vec<&String> = found.1.iter().filter(|at| at.starts_with(&own)).collect();
        let rounds = 1..=visitor.rounds;
        let called: Vec<String> = rounds
            .flat_map(|round| (0..CALLS_PER_ROUND).map(move |call| (round, call)))
            .map(|(round, call)| format!("{own}{round}-{call}"))
            .collect();
        assert!(landed.into_iter().eq(&called), "each its own, in order");
    }
    let times = stored(service).await;
    let acknowledged: HashSet<&String> = visitors
        .iter()
        .flat_map(|visitor| &visitor.acknowledged)
        .collect();
    assert!(acknowledged.len() >= 2 * VISITORS, "before and after");
    assert!(acknowledged.iter().all(|id| times.get(*id) == Some(&1)));
    assert!(times.values().all(|times| *times == 1));
}
