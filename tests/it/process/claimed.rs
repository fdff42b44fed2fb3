//! A setup token of SimpleFIN that was claimed when the program was killed: what it gave is gone with the program, nothing is half there,
//! and the person is told what to do.

use std::path::Path;

use chrono::Utc;
use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::{Value, json};

use super::service::{log_in, postgres_socket};
use super::{Service, Setup};
use crate::support::certificates::{self, LOOPBACK};
use crate::support::cluster::{config, connect};
use crate::support::eventually::eventually;
use crate::support::stand_ins::StandIn;
use crate::support::stand_ins::served::Served;
use crate::support::stand_ins::simplefin::{Bridge, HOST, PASSWORD, USER};
use crate::support::users::in_scratch;

/// Serves the bridge, and writes the settings that lead there.
#[expect(clippy::disallowed_methods, reason = "the program has the real clock")]
async fn bridge(test: &str, home: &Path) -> (StandIn<Bridge>, Served) {
    let made = certificates::make(home, &format!("{LOOPBACK},DNS:{HOST}"));
    let bridge = StandIn::new(Bridge::new(Utc::now()));
    let certificate = Some((&*made.server, &*made.server_key));
    let served = bridge.serve(test, certificate).await;
    let settings = format!(
        "[providers.simplefin]\nca_file = {:?}\n[providers.simplefin.hosts]\n{HOST:?} = \"{}\"\n",
        made.authority, served.address
    );
    std::fs::write(home.join("config.toml"), settings).unwrap();
    (bridge, served)
}

fn entered() -> Value {
    json!({"provider": "simplefin", "credentials": {"token": Bridge::setup_token()}})
}

async fn sign_ins(service: &Service) -> Value {
    let told = service.call(Method::GET, "/api/signins", None, 200).await;
    told["signIns"].clone()
}

#[test]
fn a_kill_between_a_claim_and_its_commit_leaves_nothing_half_done_and_is_told() {
    let test = "a_kill_between_a_claim_and_its_commit_leaves_nothing_half_done_and_is_told";
    if !certificates::can_be_made(test) {
        return;
    }
    in_scratch(async |home| {
        let (bridge, _served) = bridge(test, home).await;
        let service = Setup::in_home(home).start().await;
        let client = connect(&config(&postgres_socket(&service), "postgres", "sextant")).await;
        // A sign-in can be read and not stored, until this connection ends.
        let hold = "BEGIN; LOCK TABLE sign_ins IN SHARE MODE";
        client.batch_execute(hold).await.unwrap();
        let asked = service.request(Method::POST, "/api/connections");
        let connecting = tokio::spawn(asked.json(&entered()).send());
        eventually("what the token gave waits to be stored", async || {
            let waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'sign_ins'::regclass AND NOT granted";
            client.query_one(waiting, &[]).await.unwrap().get::<_, i64>(0) > 0
        })
        .await;
        assert_eq!(bridge.state().claims, 1);
        service.signal(Signal::SIGKILL);
        service.wait_for_end().await;
        assert!(connecting.await.unwrap().is_err());
        drop(client);

        let service = Setup::in_home(home).start().await;
        assert_eq!(sign_ins(&service).await, json!([]));
        let again = service.call(Method::POST, "/api/connections", Some(entered()), 400);
        let again = again.await;
        assert_eq!(again["field"], "token", "{again}");
        let told = again["message"].as_str().unwrap();
        assert!(told.contains("claimed before"), "{told}");
        assert_eq!(sign_ins(&service).await, json!([]));
        // Another token, from the same bridge.
        bridge.state().claims = 0;
        let made = service.call(Method::POST, "/api/connections", Some(entered()), 201);
        made.await;
        assert_eq!(sign_ins(&service).await.as_array().unwrap().len(), 1);
        service.stop(Signal::SIGTERM).await;
        let log = log_in(home);
        assert!(!log.contains(PASSWORD) && !log.contains(USER), "{log}");
    });
}
