//! The database frozen under the service, then killed: what needs no database is answered, and waiting rows are
//! written afterwards.

use std::collections::HashMap;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::service::{Device, is_running, log_in, postgres_of, postgres_socket};
use super::start_stop::probe;
use super::{Service, Setup};
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

pub fn coffee(id: &str) -> Value {
    json!({ "id": id, "amount": -1, "currency": "EUR", "booked_on": "2026-03-01" })
}

/// How often each source id occurs in the table.
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

/// A server all of whose processes are stopped by SIGSTOP: it neither answers nor ends.
pub struct Frozen {
    postmaster: Pid,
    children: Vec<Pid>,
}

impl Frozen {
    /// The postmaster first, so that it starts no child after the list was read.
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

    /// Lets all processes go on.
    pub fn thaw(self) {
        for process in self.children.into_iter().chain([self.postmaster]) {
            kill(process, Signal::SIGCONT).unwrap();
        }
    }

    /// Kills the postmaster with SIGKILL; its children end by themselves once they may go on.
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
        // Killed at once, it might be back before anybody notices that it was gone.
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
        // A child in the middle of an answer may still send it, so a healthy status alone proves nothing yet.
        eventually("another server runs", async || {
            postgres_of(home).is_some_and(|server| server != killed && is_running(server))
        })
        .await;
        service.becomes(200).await;
        assert_eq!(probe(&service, &key).await, 200);
        eventually("the row that waited has landed, once", async || {
            service.audit_rows("ingest").await.len() == 1
        })
        .await;
        let stored = service.push(
            &device,
            json!([{ "id": "after", "amount": -1, "currency": "EUR", "booked_on": "2026-03-01" }])
                .to_string(),
        );
        assert_eq!(stored.send().await.unwrap().status(), 200);
        service.stop(Signal::SIGTERM).await;
    });
}

#[test]
fn r502_a_server_process_that_holds_the_lock_and_stands_still_is_no_rival() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let key = service.key("reader", &["finance"]).await;
        let device = service.device("finance.transactions").await;
        let holder = lock_holder(&service).await;
        kill(holder, Signal::SIGSTOP).unwrap();
        service.becomes(503).await;
        eventually("the service sees who holds its lock", async || {
            log_in(home).contains("still holds the lock on the database")
        })
        .await;
        assert_eq!(probe(&service, &key).await, 200, "the service goes on");
        kill(holder, Signal::SIGCONT).unwrap();
        service.becomes(200).await;
        let stored = service.push(&device, json!([coffee("after")]).to_string());
        assert_eq!(stored.send().await.unwrap().status(), 200);
        service.stop(Signal::SIGTERM).await;
    });
}

/// The server process of the connection that holds the lock on the database.
async fn lock_holder(service: &Service) -> Pid {
    let config = crate::support::cluster::config(&postgres_socket(service), "postgres", "sextant");
    let client = crate::support::cluster::connect(&config).await;
    let sql = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted";
    let row = client.query_one(sql, &[]).await.unwrap();
    Pid::from_raw(row.get(0))
}
