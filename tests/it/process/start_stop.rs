//! A first start, a later one, and the ordered end of both.

use std::time::Duration;

use nix::sys::signal::Signal;
use reqwest::{Body, Method};
use serde_json::json;
use tokio::sync::mpsc;

use super::service::{is_running, log_in, postgres_of};
use super::{Service, Setup};
use crate::support::TestDatabase;
use crate::support::eventually::eventually;
use crate::support::users::in_scratch;

/// An ordered stop may take its steps' deadlines, but with nothing broken it takes far less.
const STOP_MAX: Duration = Duration::from_secs(30);

#[test]
fn a_first_start_needs_nothing_and_a_later_one_finds_everything() {
    in_scratch(async |home| {
        let first = Setup::in_home(home).start().await;
        assert!(first.console.starts_with("http://127.0.0.1:"));
        assert!(first.agents.starts_with("http://127.0.0.1:") && first.agents.ends_with("/mcp"));
        first.becomes(200).await;
        let key = first.key("reader", &["finance"]).await;
        first.stop(Signal::SIGTERM).await;
        let second = Setup::in_home(home).start().await;
        let agents = second.call(Method::GET, "/api/agents", None, 200).await;
        assert_eq!(agents["agents"][0]["name"], "reader");
        assert_eq!(probe(&second, &key).await, 200);
        second.stop(Signal::SIGINT).await;
        assert!(log_in(home).contains("nothing was left behind"));
    });
}

#[test]
fn a_zone_that_nobody_set_is_said_at_start_and_one_that_is_set_is_not() {
    in_scratch(async |home| {
        let needs = async |service: &Service| {
            let status = service.call(Method::GET, "/api/status", None, 200).await;
            let all = status["attention"].as_array().unwrap().clone();
            all.iter().any(|one| one["kind"] == "zone_unset")
        };
        let service = Setup::in_home(home).env("TZ", "UTC").start().await;
        assert!(!needs(&service).await);
        service.stop(Signal::SIGTERM).await;
        assert!(!log_in(home).contains("no time zone is set"));
        // Without a setting the system's zone is used; a system in UTC does not name one.
        let service = Setup::in_home(home).start().await;
        let is_told = needs(&service).await;
        service.stop(Signal::SIGTERM).await;
        let is_said = log_in(home).contains("no time zone is set, so days begin by UTC");
        let has_zone = sextant::config::Environment::of_process()
            .system_zone()
            .is_some_and(|name| !name.ends_with("UTC"));
        assert_eq!((is_told, is_said), (!has_zone, !has_zone));
    });
}

/// The status of an agent's request with this key.
pub async fn probe(service: &Service, key: &str) -> u16 {
    let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "probe", "version": "1" } } });
    let asked = crate::support::http::builder().build().unwrap();
    let asked = asked
        .post(&service.agents)
        .bearer_auth(key)
        .header("accept", "application/json, text/event-stream")
        .json(&body);
    asked.send().await.unwrap().status().as_u16()
}

#[test]
fn open_streams_and_a_slow_push_do_not_hold_up_the_stop() {
    in_scratch(async |home| {
        let service = Setup::in_home(home).start().await;
        let key = service.key("listener", &["finance"]).await;
        let client = crate::mcp::support::client::Client::new(&service.agents, Some(key));
        let session = client.session().await;
        let mut stream = client.listen(&session).send().await.unwrap();
        assert_eq!(stream.status(), 200);
        let (_drip, pushing) = slow_push(&service).await;
        tokio::time::timeout(STOP_MAX, service.stop(Signal::SIGTERM))
            .await
            .expect("within bounds");
        while let Ok(Some(_)) = stream.chunk().await {}
        let answer = pushing.await.unwrap();
        assert!(
            answer.is_err_and(|error| !error.is_timeout()),
            "it was never sent whole"
        );
    });
}

type Drip = mpsc::Sender<Result<&'static [u8], std::io::Error>>;
type Pushing = tokio::task::JoinHandle<reqwest::Result<reqwest::Response>>;

/// A push whose body has begun and does not end while the sender is held.
async fn slow_push(service: &Service) -> (Drip, Pushing) {
    let device = service.device("finance.transactions").await;
    let (drip, mut body): (Drip, _) = mpsc::channel(1);
    let body = futures_util::stream::poll_fn(move |context| body.poll_recv(context));
    let push = service.push(&device, Body::wrap_stream(body)).send();
    let pushing = tokio::spawn(push);
    // A second chunk is only taken once the first has gone to the socket.
    for _ in 0..3 {
        drip.send(Ok(b"[")).await.unwrap();
    }
    (drip, pushing)
}

#[test]
fn a_signal_during_the_first_start_leaves_no_server() {
    in_scratch(async |home| {
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            let starting = Setup::in_home(home).spawn();
            eventually("the start has reached the database", async || {
                home.join("data/postgres").exists()
            })
            .await;
            starting.signal(signal);
            let (status, said) = starting.wait_for_end().await;
            assert!(status.success(), "{status}: {}", log_in(home));
            assert!(said.is_empty(), "{said:?}");
            assert!(postgres_of(home).is_none_or(|server| !is_running(server)));
            std::fs::remove_dir_all(home.join("data")).unwrap();
        }
    });
}

/// The number of statements that wait for a lock.
const WAITING: &str = "SELECT count(*) FROM pg_stat_activity \
     WHERE datname = current_database() AND wait_event_type = 'Lock'";
/// PostgreSQL only notices after it has got the lock that the client has gone, so the waiting statements are ended.
const END_WAITING: &str = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity \
     WHERE datname = current_database() AND wait_event_type = 'Lock'";

#[test]
fn a_signal_during_a_load_that_waits_for_the_database_ends_the_start() {
    in_scratch(async |home| {
        let database = TestDatabase::create().await;
        let (holder, onlooker) = (
            database.connect_as_superuser().await,
            database.connect_as_superuser().await,
        );
        let hold = "BEGIN; LOCK TABLE agents IN ACCESS EXCLUSIVE MODE";
        holder.batch_execute(hold).await.unwrap();
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            let starting = Setup::in_home(home)
                .env("DATABASE_URL", &database.url())
                .spawn();
            eventually("the load waits", async || {
                let waiting = onlooker.query_one(WAITING, &[]).await.unwrap();
                waiting.get::<_, i64>(0) > 0
            })
            .await;
            starting.signal(signal);
            let (status, said) = starting.wait_for_end().await;
            assert!(status.success(), "{status}: {}", log_in(home));
            assert!(said.is_empty(), "it was never ready: {said:?}");
            onlooker.batch_execute(END_WAITING).await.unwrap();
        }
        assert!(log_in(home).contains("nothing was left behind"));
    });
}

#[test]
fn a_signal_while_a_database_says_nothing_ends_the_start() {
    in_scratch(async |home| {
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("postgres://sextant@{}/house", silent.local_addr().unwrap());
        let starting = Setup::in_home(home).env("DATABASE_URL", &url).spawn();
        let _connection = silent.accept().await.unwrap();
        starting.signal(Signal::SIGINT);
        let (status, said) = starting.wait_for_end().await;
        assert!(status.success(), "{status}: {}", log_in(home));
        assert!(said.is_empty(), "{said:?}");
        let log = log_in(home);
        assert!(
            !log.contains("stopped while starting"),
            "it was not waited for: {log}"
        );
    });
}
