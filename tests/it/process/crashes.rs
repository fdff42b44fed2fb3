//! The service killed under load, and its database killed under it: what was acknowledged stays, once.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::service::{Device, is_running, postgres_of};
use super::start_stop::probe;
use super::{Service, Setup};
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

/// Kills of the service in one test.
const ROUNDS: usize = 4;
/// Devices that push at one time.
const PUSHERS: usize = 3;
/// Acknowledged pushes before the next kill.
const ACKNOWLEDGED_PER_ROUND: usize = 12;
const RECORDS_PER_PUSH: usize = 5;

#[test]
fn r505_every_acknowledged_push_survives_kills_of_the_service_once() {
    in_scratch(async |home| {
        let mut service = Setup::in_home(home).start().await;
        let device = service.device("finance.transactions").await;
        let mut acknowledged = Vec::new();
        for round in 0..ROUNDS {
            acknowledged.extend(pushed_until_killed(&service, &device, round).await);
            let server = service.postgres();
            service.kill().await;
            assert!(is_running(server), "the server outlives the service");
            service = Setup::in_home(home).start().await;
            assert_eq!(service.postgres(), server, "and is adopted");
        }
        let stored = stored(&service).await;
        for id in &acknowledged {
            assert_eq!(stored.get(id), Some(&1), "{id}");
        }
        assert!(stored.values().all(|times| *times == 1));
        service.stop(Signal::SIGTERM).await;
    });
}

/// The ids of all records whose push was answered, while several devices push and do not stop for the kill.
async fn pushed_until_killed(service: &Service, device: &Device, round: usize) -> Vec<String> {
    let (answered, mut answers) = mpsc::unbounded_channel();
    for pusher in 0..PUSHERS {
        let request = service.push(device, "");
        let answered = answered.clone();
        tokio::spawn(async move {
            for push in 0.. {
                let ids: Vec<String> = (0..RECORDS_PER_PUSH)
                    .map(|record| format!("{round}-{pusher}-{push}-{record}"))
                    .collect();
                let body = Value::from_iter(ids.iter().map(|id| coffee(id))).to_string();
                let sent = request.try_clone().unwrap().body(body).send().await;
                if !sent.is_ok_and(|answer| answer.status() == 200) || answered.send(ids).is_err() {
                    return;
                }
            }
        });
    }
    drop(answered);
    let mut acknowledged = Vec::new();
    for _ in 0..ACKNOWLEDGED_PER_ROUND {
        acknowledged.extend(answers.recv().await.unwrap());
    }
    service.signal(Signal::SIGKILL);
    while let Some(ids) = answers.recv().await {
        acknowledged.extend(ids);
    }
    acknowledged
}

pub fn coffee(id: &str) -> Value {
    json!({ "id": id, "amount": -1, "currency": "EUR", "booked_on": "2026-03-01" })
}

/// How often each source id stands in the table.
pub async fn stored(service: &Service) -> HashMap<String, usize> {
    let socket_dir = postgres_socket(service);
    let config = crate::support::cluster::config(&socket_dir, "postgres", "sextant");
    let client = crate::support::cluster::connect(&config).await;
    let rows = client
        .query("SELECT source_id FROM finance.transactions", &[])
        .await
        .unwrap();
    let mut times = HashMap::new();
    for row in rows {
        *times.entry(row.get(0)).or_default() += 1;
    }
    times
}

/// The fifth line of the server's own file.
pub fn postgres_socket(service: &Service) -> std::path::PathBuf {
    let file = service.home().join("data/postgres/data/postmaster.pid");
    std::fs::read_to_string(file)
        .unwrap()
        .lines()
        .nth(4)
        .unwrap()
        .into()
}

/// A server of which every process stands still: it says nothing, and does not end.
pub struct Frozen {
    postmaster: Pid,
    children: Vec<Pid>,
}

impl Frozen {
    /// The postmaster first, so that no child comes after the list was read.
    pub fn at(postmaster: Pid) -> Self {
        kill(postmaster, Signal::SIGSTOP).unwrap();
        let listed = format!("/proc/{postmaster}/task/{postmaster}/children");
        let children: Vec<Pid> = std::fs::read_to_string(listed)
            .unwrap()
            .split_whitespace()
            .map(|pid| Pid::from_raw(pid.parse().unwrap()))
            .collect();
        for child in &children {
            kill(*child, Signal::SIGSTOP).unwrap();
        }
        Self {
            postmaster,
            children,
        }
    }

    /// As if nothing had happened.
    pub fn thaw(self) {
        for process in self.children.into_iter().chain([self.postmaster]) {
            kill(process, Signal::SIGCONT).unwrap();
        }
    }

    /// As `kill -9` of the postmaster: its children end by themselves once they may go on.
    fn kill(self) {
        kill(self.postmaster, Signal::SIGKILL).unwrap();
        for child in self.children {
            kill(child, Signal::SIGCONT).unwrap();
        }
    }
}

#[test]
fn r502_the_service_outlives_its_database_and_the_rows_that_waited_land() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let key = service.key("reader", &["finance"]).await;
        let device = service.device("finance.transactions").await;
        let killed = service.postgres();
        // Killed at once it might be back before anybody sees that it was gone.
        let frozen = Frozen::at(killed);
        service.becomes(503).await;
        assert_eq!(probe(&service, &key).await, 200, "a key needs no database");
        let refused = service.push(
            &Device {
                secret: "wrong".to_owned(),
                ..device.clone()
            },
            "[]",
        );
        assert_eq!(refused.send().await.unwrap().status(), 401);
        frozen.kill();
        // A child that was answering may say one thing more, so that health alone tells nothing yet.
        eventually("another server runs", async || {
            postgres_of(home).is_some_and(|server| server != killed && is_running(server))
        })
        .await;
        service.becomes(200).await;
        assert_eq!(probe(&service, &key).await, 200);
        eventually("the row that waited has landed, once", async || {
            service.recorded("ingest").await.len() == 1
        })
        .await;
        let stored = service.push(&device, json!([coffee("after")]).to_string());
        assert_eq!(stored.send().await.unwrap().status(), 200);
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn pushes_go_on_after_the_database_was_killed_under_them() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let device = service.device("finance.transactions").await;
        let (killed, stop) = (service.postgres(), Arc::new(AtomicBool::new(false)));
        let pusher = {
            let (request, stop) = (service.push(&device, ""), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut acknowledged = Vec::new();
                for push in 0.. {
                    let body = json!([coffee(&push.to_string())]).to_string();
                    let answer = request
                        .try_clone()
                        .unwrap()
                        .body(body)
                        .send()
                        .await
                        .unwrap();
                    match answer.status().as_u16() {
                        200 => acknowledged.push(push.to_string()),
                        status => assert_eq!(status, 503, "{}", answer.text().await.unwrap()),
                    }
                    if stop.load(Ordering::Relaxed) {
                        return acknowledged;
                    }
                }
                acknowledged
            })
        };
        eventually("a push is stored", async || {
            !service.recorded("ingest").await.is_empty()
        })
        .await;
        kill(killed, Signal::SIGKILL).unwrap();
        eventually("another server runs", async || {
            postgres_of(home).is_some_and(|server| server != killed && is_running(server))
        })
        .await;
        service.becomes(200).await;
        stop.store(true, Ordering::Relaxed);
        let acknowledged = pusher.await.unwrap();
        let stored = stored(&service).await;
        assert!(acknowledged.iter().all(|id| stored.get(id) == Some(&1)));
        let connections = service
            .call(Method::GET, "/api/connections", None, 200)
            .await;
        assert_eq!(connections["connections"][0]["id"], device.id);
        service.stop(Signal::SIGTERM).await;
    });
}
