//! Homes that start, overflow, fall silent or talk nonsense.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use sextant_connectors::failure::FailureKind;
use sextant_connectors::guard::{Diversions, StreamGuard, Trust};
use sextant_connectors::home_assistant::{ActionDomains, HomeAddress, HomeAssistant};
use sextant_connectors::round::Watch as _;

use super::fake::{FakeHome, answer, light_changed, small_home};
use super::store::PageStore;
use super::{home_at, request_at, store_pass, store_until};
use crate::support::certificates;

const NOW: &str = "2026-01-02T04:00:00Z";

#[tokio::test]
async fn a_refused_token_is_tried_once() {
    let fake = FakeHome::start(|_| {
        let message = "Invalid access token or password";
        vec![json!({"type": "auth_invalid", "message": message}).to_string()]
    })
    .await;
    let home = home_at(fake.address.port(), "seeded-token");
    let failure = home.open(request_at(NOW)).await.err().unwrap();
    assert_eq!(failure.kind, FailureKind::CredentialRefused);
    assert!(!format!("{failure:?}").contains("seeded-token"));
    assert_eq!(fake.received("auth").len(), 1);
}

#[tokio::test]
async fn nothing_is_asked_of_a_home_that_starts() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let fake = FakeHome::start(move |message| match message["type"].as_str() {
        Some("get_config") => {
            let state = match counted.fetch_add(1, Ordering::Relaxed) {
                0 => "NOT_RUNNING",
                1 => "STARTING",
                _ => "RUNNING",
            };
            vec![answer(message, &json!({"state": state}))]
        }
        // Before that it would have named nothing.
        Some("get_states") if counted.load(Ordering::Relaxed) < 3 => {
            vec![answer(message, &json!([]))]
        }
        _ => small_home(message),
    })
    .await;
    let home = home_at(fake.address.port(), "token");
    let store = PageStore::default();
    let mut watched = home.open(request_at(NOW)).await.unwrap();
    store_pass(&mut *watched.changes, &store).await.unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 3);
    assert_eq!(store.rows("home.entities").len(), 1);
    assert_eq!(fake.received("get_states").len(), 1);
}

#[tokio::test]
async fn a_home_that_stops_is_not_read() {
    let fake = FakeHome::start(|message| match message["type"].as_str() {
        Some("get_config") => vec![answer(message, &json!({"state": "STOPPING"}))],
        _ => small_home(message),
    })
    .await;
    let home = home_at(fake.address.port(), "token");
    let failure = home.open(request_at(NOW)).await.err().unwrap();
    assert_eq!(failure.kind, FailureKind::Unavailable);
    assert!(fake.received("get_states").is_empty());
}

/// A thousand events of one entity are one row; those that a reader does not take in time end the stream.
#[tokio::test]
async fn events_are_gathered_and_too_many_end_the_stream() {
    for (events, is_too_many) in [(1000, false), (5000, true)] {
        let store = PageStore::default();
        let mut watched = eventful(events).await.open(request_at(NOW)).await.unwrap();
        let changes = &mut *watched.changes;
        store_pass(changes, &store).await.unwrap();
        if is_too_many {
            let never = |_: &PageStore| false;
            let failure = store_until(changes, &store, never).await.unwrap_err();
            assert_eq!(failure.kind, FailureKind::Unavailable);
            assert!(failure.message.contains("faster"), "{failure}");
            continue;
        }
        let is_off = |store: &PageStore| store.rows("home.entities")["light.one"]["state"] == "off";
        store_until(changes, &store, is_off).await.unwrap();
        // All of one millisecond.
        let has_past = |store: &PageStore| store.rows("home.history").len() == 1;
        store_until(changes, &store, has_past).await.unwrap();
        assert!(store.written() < 10, "{}", store.written());
    }
}

/// A home that tells so many events at once, while it is read.
async fn eventful(events: u32) -> HomeAssistant {
    let subscription = Mutex::new(Value::Null);
    let fake = FakeHome::start(move |message| {
        let mut texts = small_home(message);
        if message["event_type"] == "state_changed" {
            *subscription.lock().unwrap() = message.clone();
        }
        if message["type"] == "get_states" {
            let subscription = subscription.lock().unwrap();
            let state = |number: u32| if number % 2 == 1 { "on" } else { "off" };
            let events = (1..=events).map(|number| light_changed(&subscription, state(number)));
            // As a home does that coalesces.
            texts.push(format!("[{}]", events.collect::<Vec<_>>().join(",")));
        }
        texts
    })
    .await;
    home_at(fake.address.port(), "token")
}

#[tokio::test]
async fn a_home_that_falls_silent_is_left() {
    let fake = FakeHome::start(|message| match message["type"].as_str() {
        Some("ping") => Vec::new(),
        _ => small_home(message),
    })
    .await;
    let home = home_at(fake.address.port(), "token");
    let store = PageStore::default();
    let mut request = request_at(NOW);
    // No past is wanted, so that little is asked while time is paused.
    request.since = Some(request.now);
    let mut watched = home.open(request).await.unwrap();
    store_pass(&mut *watched.changes, &store).await.unwrap();
    tokio::time::pause();
    let before = tokio::time::Instant::now();
    let failure = loop {
        match watched.changes.next_page(&store).await {
            Ok(page) => store.apply(&page),
            Err(failure) => break failure,
        }
    };
    assert_eq!(failure.kind, FailureKind::Unavailable);
    assert_eq!(fake.received("ping").len(), 1);
    let silent = before.elapsed();
    assert!(
        silent > Duration::from_secs(38) && silent < Duration::from_secs(41),
        "{silent:?}"
    );
}

#[tokio::test]
async fn nonsense_is_a_failure() {
    for nonsense in ["<html>", "[1]", r#"{"id":1,"type":"result","success":true"#] {
        for at in [
            "auth",
            "get_config",
            "get_states",
            "config/area_registry/list",
        ] {
            let fake = FakeHome::start(move |message| match message["type"] == at {
                true => vec![nonsense.to_owned()],
                false => small_home(message),
            })
            .await;
            let home = home_at(fake.address.port(), "token");
            let failure = home.open(request_at(NOW)).await.err().unwrap();
            assert_eq!(
                failure.kind,
                FailureKind::Malformed,
                "{nonsense} at {at}: {failure}"
            );
            assert!(!failure.message.contains("html"));
        }
    }
}

/// An action whose answer never comes was sent once, and its outcome is not known.
#[tokio::test]
async fn an_action_is_sent_once() {
    let fake = FakeHome::start(|message: &Value| match message["type"].as_str() {
        Some("call_service") => Vec::new(),
        Some("get_services") => vec![answer(message, &toggle())],
        _ => small_home(message),
    })
    .await;
    let home = home_at(fake.address.port(), "token");
    let watched = home.open(request_at(NOW)).await.unwrap();
    let catalog = watched.actions.catalog().await.unwrap();
    let one = json!({"entity_id": ["light.one"]});
    let call = catalog
        .prepare("home.light.toggle", one.as_object().unwrap())
        .unwrap();
    let mut without_lights = home_at(fake.address.port(), "token");
    without_lights.domains = ActionDomains::without(["light".to_owned()]);
    let other = without_lights.open(request_at(NOW)).await.unwrap();
    assert_eq!(other.actions.catalog().await.unwrap().actions, []);
    // Nothing is sent by what is not polled.
    drop(watched.actions.invoke(&call));
    let before = tokio::time::Instant::now();
    let failure = watched.actions.invoke(&call).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unavailable);
    assert!(failure.message.contains("not known"), "{failure}");
    assert!(before.elapsed() < Duration::from_secs(15));
    assert_eq!(fake.received("call_service").len(), 1);
}

/// What is given up while the home is busy is never sent: a grant may have been revoked meanwhile.
#[tokio::test]
async fn an_action_that_is_given_up_is_not_sent() {
    let subscriptions = AtomicUsize::new(0);
    let fake = FakeHome::start(move |message| match message["type"].as_str() {
        // The stream's own are answered, the action's is not.
        Some("subscribe_events") if subscriptions.fetch_add(1, Ordering::Relaxed) > 3 => Vec::new(),
        Some("get_services") => vec![answer(message, &toggle())],
        _ => small_home(message),
    })
    .await;
    let home = home_at(fake.address.port(), "token");
    let watched = home.open(request_at(NOW)).await.unwrap();
    let catalog = watched.actions.catalog().await.unwrap();
    let one = json!({"entity_id": "light.one"});
    let call = catalog
        .prepare("home.light.toggle", one.as_object().unwrap())
        .unwrap();
    let invoking = tokio::time::timeout(Duration::from_millis(200), watched.actions.invoke(&call));
    assert!(invoking.await.is_err());
    let failure = watched.actions.invoke(&call).await.unwrap_err();
    assert!(!failure.message.contains("not known"), "{failure}");
    // The socket still stands, and answers after all that was sent before.
    watched.actions.catalog().await.unwrap();
    assert!(fake.received("call_service").is_empty());
}

/// The services of a home with one light.
fn toggle() -> Value {
    let toggle = json!({"target": {"entity": [{"domain": ["light"]}]}, "fields": {}});
    json!({"light": {"toggle": toggle}})
}

/// A renamed entity is the same row.
#[tokio::test]
async fn a_rename_keeps_the_key() {
    let subscription = Mutex::new(Value::Null);
    let listed = AtomicUsize::new(0);
    let fake = FakeHome::start(move |message| {
        let registered = |name: &str| {
            json!([{"id": "0af3", "entity_id": name, "name": "One", "platform": "demo"}])
        };
        match message["type"].as_str() {
            Some("subscribe_events") if message["event_type"] == "entity_registry_updated" => {
                *subscription.lock().unwrap() = message["id"].clone();
                small_home(message)
            }
            Some("config/entity_registry/list") => {
                match listed.fetch_add(1, Ordering::Relaxed) {
                    0 => vec![answer(message, &registered("light.old"))],
                    _ => vec![answer(message, &registered("light.one"))],
                }
            }
            Some("get_states") if listed.load(Ordering::Relaxed) == 1 => {
                let event = json!({"event_type": "entity_registry_updated", "data": {}});
                let id = subscription.lock().unwrap().clone();
                let event = json!({"id": id, "type": "event", "event": event}).to_string();
                small_home(message).into_iter().chain([event]).collect()
            }
            _ => small_home(message),
        }
    })
    .await;
    let home = home_at(fake.address.port(), "token");
    let store = PageStore::default();
    let mut watched = home.open(request_at(NOW)).await.unwrap();
    let changes = &mut *watched.changes;
    store_pass(changes, &store).await.unwrap();
    let names = |store: &PageStore| {
        let rows = store.rows("home.entities").into_iter();
        rows.map(|(key, row)| (key, row["entity_id"].as_str().unwrap().to_owned()))
            .collect::<Vec<_>>()
    };
    let pair = |key: &str, name: &str| (key.to_owned(), name.to_owned());
    assert_eq!(
        names(&store),
        [pair("0af3", "light.old"), pair("light.one", "light.one")]
    );
    let is_renamed = |store: &PageStore| names(store) == [pair("0af3", "light.one")];
    store_until(changes, &store, is_renamed).await.unwrap();
}

/// Over TLS, with an authority of the home's own; without TLS inside the own network alone.
#[tokio::test]
async fn a_home_is_reached_where_it_may_be() {
    if !certificates::can_be_made("a_home_is_reached") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let own = certificates::make(folder.path(), certificates::LOOPBACK);
    let fake = FakeHome::start_with(Some((&own.server, &own.server_key)), small_home).await;
    for (authority, is_trusted) in [(&own.authority, true), (&own.other_authority, false)] {
        let trust = Trust::with_authorities(&std::fs::read(authority).unwrap()).unwrap();
        let mut home = home_at(fake.address.port(), "token");
        home.address = HomeAddress::parse(&format!("wss://{}", fake.address)).unwrap();
        home.streams = StreamGuard::new(Diversions::default(), &trust);
        let checked = home.check().await.map_err(|failure| failure.kind);
        let expected = if is_trusted {
            Ok(())
        } else {
            Err(FailureKind::Unavailable)
        };
        assert_eq!(checked, expected);
    }
    assert_eq!(fake.received("auth").len(), 1);
    let mut elsewhere = home_at(fake.address.port(), "token");
    elsewhere.address = HomeAddress::parse("http://192.0.2.7:8123").unwrap();
    let failure = elsewhere.check().await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::ForbiddenAddress);
}
