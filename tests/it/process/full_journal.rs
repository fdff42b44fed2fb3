//! The journal on a disk that is really full, while its rows cannot reach the database either: calls go on, rows that
//! are not durable are counted and reported, and all are written in order afterwards.

use std::fs;

use nix::sys::signal::Signal;
use reqwest::Method;
use tokio_postgres::Client as Postgres;

use super::full_disk::Disk;
use super::journal::{CALLS, audit_rows, call, holds};
use super::service::{log_in, postgres_socket};
use super::{Service, Setup};
use crate::mcp::support::Client;
use crate::support::cluster::{config, connect};
use crate::support::eventually::eventually;
use crate::support::skipped;
use crate::support::users::in_scratch;

/// Enough to start a segment, and for more calls than a test makes.
const DISK_SIZE: &str = "size=256k,mode=0700";

/// An agent, and the calls that it has made.
struct Caller {
    agent: Client,
    called: Vec<String>,
}

impl Caller {
    async fn call(&mut self) {
        let name = format!("full{}", self.called.len());
        call(&self.agent, &name).await;
        self.called.push(format!("home.{name}"));
    }

    async fn call_often(&mut self) {
        for _ in 0..CALLS {
            self.call().await;
        }
    }
}

/// Locks the audit table until the returned connection is dropped.
async fn hold(service: &Service) -> Postgres {
    let client = connect(&config(&postgres_socket(service), "postgres", "sextant")).await;
    let hold = "BEGIN; LOCK TABLE audit_log IN SHARE MODE";
    client.batch_execute(hold).await.unwrap();
    client
}

/// A sample of `/metrics`, by its name and labels.
async fn metric(service: &Service, sample: &str) -> usize {
    let answer = service.request(Method::GET, "/metrics").send().await;
    let text = answer.unwrap().text().await.unwrap();
    let mut values = text.lines().filter_map(|line| line.strip_prefix(sample));
    let value = values.find_map(|rest| rest.strip_prefix(' '));
    let value = value.unwrap_or_else(|| panic!("no {sample} in {text}"));
    value.parse().unwrap()
}

/// What the status route reports about the journal; `/metrics` must report the same.
async fn trouble(service: &Service) -> Option<String> {
    let status = service.call(Method::GET, "/api/status", None, 200).await;
    let mut all = status["attention"].as_array().unwrap().iter();
    let one = all.find(|one| one["kind"] == "journal_failing")?;
    one["text"].as_str().map(str::to_owned)
}

async fn expect_trouble(service: &Service, unjournaled: usize) {
    let told = trouble(service).await.unwrap();
    assert!(
        told.starts_with("The disk has failed the journal since 20"),
        "{told}"
    );
    assert!(told.contains(&format!(", {unjournaled} so far.")), "{told}");
    assert_eq!(states(service).await, [0, 1, 0]);
}

/// Returns when the journal accepts entries again and both routes report no trouble.
async fn becomes_well(service: &Service) {
    eventually("nothing is told of the journal", async || {
        trouble(service).await.is_none()
    })
    .await;
    assert_eq!(states(service).await, [1, 0, 0]);
}

async fn states(service: &Service) -> [usize; 3] {
    let mut states = [0; 3];
    for (place, state) in ["ok", "failing", "absent"].into_iter().enumerate() {
        let sample = format!("sextant_audit_journal_state{{state=\"{state}\"}}");
        states[place] = metric(service, &sample).await;
    }
    states
}

async fn unjournaled(service: &Service) -> usize {
    metric(service, "sextant_audit_unjournaled_total").await
}

const NAME: &str = "r024_r502_a_full_disk_of_the_journal_is_felt_by_nobody_and_told";

#[test]
fn r024_r502_a_full_disk_of_the_journal_is_felt_by_nobody_and_told() {
    in_scratch(async |home| {
        let set = || Setup::in_home(home);
        // The first start makes the data directory.
        set().start().await.stop(Signal::SIGTERM).await;
        let folder = home.join("data/journal");
        fs::remove_dir_all(&folder).unwrap();
        let Some(disk) = Disk::of_size(&folder, DISK_SIZE) else {
            return skipped::for_want_of(NAME, "only root may mount a small disk");
        };
        disk.fill();
        let service = set().start().await;
        let key = service.key("claude", &["home"]).await;
        let mut caller = Caller {
            agent: Client::new(&service.agents, Some(key)),
            called: Vec::new(),
        };
        let held = hold(&service).await;
        caller.call_often().await;
        assert!(log_in(home).contains("the journal takes no entries"));
        assert!(!holds(home, "home.full"));
        expect_trouble(&service, CALLS).await;
        assert_eq!(unjournaled(&service).await, CALLS);
        disk.make_room();
        becomes_well(&service).await;
        assert!(log_in(home).contains("the journal takes entries again"));
        eventually("entries are journaled", async || {
            caller.call().await;
            metric(&service, "sextant_audit_journaled_total").await > 0
        })
        .await;
        // Full again, in the middle of a segment: entries that fit into its last page are still accepted.
        disk.fill();
        eventually("the disk is felt", async || {
            caller.call().await;
            trouble(&service).await.is_some()
        })
        .await;
        let before = unjournaled(&service).await;
        caller.call_often().await;
        expect_trouble(&service, before + CALLS).await;
        disk.make_room();
        becomes_well(&service).await;
        caller.call_often().await;
        let waiting = metric(&service, "sextant_audit_waiting_rows").await;
        assert_eq!(waiting, caller.called.len(), "not one has landed yet");
        drop(held);
        eventually("the rows have landed", async || {
            audit_rows(&service).await.len() >= caller.called.len()
        })
        .await;
        assert_eq!(audit_rows(&service).await, caller.called, "once, in order");
        eventually("nothing waits any more", async || {
            metric(&service, "sextant_audit_waiting_rows").await == 0
        })
        .await;
        service.stop(Signal::SIGTERM).await;
    });
}
