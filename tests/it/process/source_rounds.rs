//! `kill -9` at random moments of rounds over real servers: the next start goes on from the last page. Nothing of the server is lost,
//! nothing is doubled.
//!
//! ```text
//! calendars.rs  Radicale and Xandikos     mails.rs  Dovecot, with all it can and with less     home.rs  Home Assistant
//! ```

mod calendars;
#[expect(dead_code, reason = "the connectors' tests use the rest")]
#[path = "../../../connectors/tests/it/imap/dovecot.rs"]
mod dovecot;
mod home;
#[expect(dead_code, reason = "the connectors' tests use the rest")]
#[path = "../../../connectors/tests/it/home/server.rs"]
mod home_server;
mod mails;

use std::path::Path;
use std::time::Duration;

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};

use super::rounds::chance::{Chance, dither, fresh_seed};
use super::{Service, Setup};
use crate::support::eventually::eventually;

/// Kills of one run.
const KILLS: u64 = 5;
/// The longest wait before a kill, in steps of [`dither`], and in milliseconds.
const STEPS_MAX: u64 = 400;
const WAIT_MAX_MS: u64 = 400;

/// A server that a connection reads.
trait Served {
    /// The sector of the connection.
    const SECTOR: &'static str;

    /// What connects it.
    fn connection(&self) -> Value;

    /// Changes some of what it has.
    async fn change(&mut self, chance: &mut Chance, round: u64);

    /// What it has, in order, as an independent client lists it.
    async fn listed(&self) -> Vec<String>;

    /// The query of the same, and the text of one of its rows.
    fn query(&self) -> Value;
    fn text_of(&self, row: &Value) -> String;
}

/// The server changes, the service reads it and is killed, and has everything after its next start; so some times.
async fn survive(home: &Path, served: &mut impl Served) {
    let seed = fresh_seed();
    println!("the seed is {seed}");
    let mut service = Setup::in_home(home).start().await;
    let connected = service.call(
        Method::POST,
        "/api/connections",
        Some(served.connection()),
        201,
    );
    connected.await;
    for round in 1..=KILLS {
        let mut chance = Chance::of(seed, round, 0);
        served.change(&mut chance, round).await;
        service = killed(home, service, served, &mut chance).await;
    }
    service.stop(Signal::SIGTERM).await;
}

async fn killed<S: Served>(
    home: &Path,
    service: Service,
    served: &S,
    chance: &mut Chance,
) -> Service {
    // Whatever it would have answered, it is killed before.
    let asked = service.request(Method::POST, "/api/operator/fetch_live");
    let asked = asked.json(&json!({"target": S::SECTOR, "timeout_s": 60}));
    let fetching = tokio::spawn(asked.send());
    dither(chance.below(STEPS_MAX));
    tokio::time::sleep(Duration::from_millis(chance.below(WAIT_MAX_MS))).await;
    service.signal(Signal::SIGKILL);
    service.wait_for_end().await;
    let _ = fetching.await;
    let service = Setup::in_home(home).start().await;
    let fetched = fetch(&service, S::SECTOR).await;
    assert_eq!(fetched["outcome"], "fetched", "{fetched}");
    let (mut stored, mut listed) = (Vec::new(), Vec::new());
    // A source that tells its changes by itself may tell one more meanwhile.
    eventually("the store equals the server", async || {
        stored = rows(&service, served).await;
        listed = served.listed().await;
        stored == listed || S::SECTOR != "home"
    })
    .await;
    assert_eq!(stored, listed);
    service
}

async fn fetch(service: &Service, sector: &str) -> Value {
    let asked = json!({"target": sector, "timeout_s": 60});
    let fetched = service
        .call(Method::POST, "/api/operator/fetch_live", Some(asked), 200)
        .await;
    fetched["fetched"][0].clone()
}

/// What is stored, in order.
async fn rows<S: Served>(service: &Service, served: &S) -> Vec<String> {
    let path = format!("/api/data/{}", S::SECTOR);
    let answer = service
        .call(Method::POST, &path, Some(served.query()), 200)
        .await;
    let rows = answer["rows"].as_array().unwrap().iter();
    let mut texts: Vec<String> = rows.map(|row| served.text_of(row)).collect();
    texts.sort();
    texts
}
