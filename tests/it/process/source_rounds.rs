//! `kill -9` at random moments of rounds over a real server: the next start goes on from the last page. Nothing of the server is
//! lost, nothing is doubled.

use std::path::Path;

use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};

use super::rounds::chance::{Chance, dither, fresh_seed};
use super::{Service, Setup};
use crate::support::dav_server::{DavServer, PASSWORD, Peer, USER};
use crate::support::users::in_scratch;

/// Kills of one run.
const ROUNDS: u64 = 6;
/// Events at the beginning: several pages.
const EVENTS: u64 = 130;
/// Events that change before each round.
const CHANGES: u64 = 60;
/// The longest wait before a kill, in steps of [`dither`].
const STEPS_MAX: u64 = 400;

#[test]
fn a_killed_round_loses_nothing_and_doubles_nothing() {
    let test = "a_killed_round_loses_nothing_and_doubles_nothing";
    let seed = fresh_seed();
    println!("the seed is {seed}");
    in_scratch(async |home| {
        let Some(server) = Peer::Radicale.start(test).await else {
            return;
        };
        for number in 0..EVENTS {
            put(&server, number, 0).await;
        }
        let mut service = Setup::in_home(home).start().await;
        connect(&service, &server).await;
        for number in 0..ROUNDS {
            service = killed(
                home,
                service,
                &server,
                Chance::of(seed, number, 0),
                number + 1,
            )
            .await;
        }
        service.stop(Signal::SIGTERM).await;
    });
}

/// One round: the server changes, the service reads it and is killed, and reads the rest after its next start.
async fn killed(
    home: &Path,
    service: Service,
    server: &DavServer,
    mut chance: Chance,
    version: u64,
) -> Service {
    for _ in 0..CHANGES {
        let number = chance.below(EVENTS + CHANGES);
        match chance.below(4) {
            0 => {
                server.send("DELETE", &path(number), "text/plain", "").await;
            }
            _ => put(server, number, version).await,
        }
    }
    // Whatever it would have answered, it is killed before.
    let asked = service.request(Method::POST, "/api/operator/fetch_live");
    let asked = asked.json(&json!({"target": "calendar", "timeout_s": 60}));
    let fetching = tokio::spawn(asked.send());
    dither(chance.below(STEPS_MAX));
    tokio::time::sleep(std::time::Duration::from_millis(chance.below(400))).await;
    service.signal(Signal::SIGKILL);
    service.wait_for_end().await;
    let _ = fetching.await;
    let service = Setup::in_home(home).start().await;
    let fetched = fetch(&service).await;
    assert_eq!(fetched["outcome"], "fetched", "{fetched}");
    assert_eq!(stored(&service).await, listed(server));
    service
}

fn path(number: u64) -> String {
    format!("/op/cal/{number}.ics")
}

async fn put(server: &DavServer, number: u64, version: u64) {
    let body = format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//tests//EN\r\nBEGIN:VEVENT\r\nUID:{number}@x\r\nDTSTAMP:20260101T000000Z\r\n\
         DTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z\r\nSUMMARY:{number} in version {version}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    );
    server.put(&path(number), &body).await;
}

async fn connect(service: &Service, server: &DavServer) {
    let authority = std::fs::read_to_string(&server.certificates.authority).unwrap();
    let asked = json!({
        "provider": "own_server",
        "sectors": ["calendar"],
        "credentials": {
            "dav": server.typed().as_str(), "user": USER, "password": PASSWORD, "ca": authority,
        },
    });
    service
        .call(Method::POST, "/api/connections", Some(asked), 201)
        .await;
}

async fn fetch(service: &Service) -> Value {
    let asked = json!({"target": "calendar", "timeout_s": 60});
    let fetched = service
        .call(Method::POST, "/api/operator/fetch_live", Some(asked), 200)
        .await;
    fetched["fetched"][0].clone()
}

/// The titles of what is stored, in order.
async fn stored(service: &Service) -> Vec<String> {
    let asked =
        json!({"target": "series", "select": ["title"], "order_by": ["title"], "limit": 1000});
    let answer = service
        .call(Method::POST, "/api/data/calendar", Some(asked), 200)
        .await;
    let rows = answer["rows"].as_array().unwrap().iter();
    rows.map(|row| row[0].as_str().unwrap().to_owned())
        .collect()
}

fn listed(server: &DavServer) -> Vec<String> {
    let mut titles = crate::sync::titles_of(&server.listing("calendar"));
    titles.sort();
    titles
}
