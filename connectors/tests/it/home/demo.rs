//! A real home: what it says over plain HTTP is what is stored of it. One server, since each costs seconds.

mod acting;
mod past;

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::DateTime;
use serde_json::{Value, json};
use sextant_connectors::failure::FailureKind;
use sextant_connectors::round::{Watch as _, WatchedSource};
use tokio::time::{sleep, timeout};

use self::acting::{does_what_is_asked, lists_what_may_be_done};
use self::past::has_the_recorders_past;
use super::server::HomeServer;
use super::store::PageStore;
use super::{home_at, request, store_pass, store_until};

/// Made by the test; the demo world does not know it.
const OUTSIDE: &str = "/api/states/sensor.outside";

#[tokio::test]
async fn r127_a_home_is_read_watched_and_acted_on() {
    let Some(mut server) = HomeServer::start("r127_home").await else {
        return;
    };
    let home = home_at(server.port, &server.token);
    home.check().await.unwrap();
    let wrong = home_at(server.port, "wrong").check().await.unwrap_err();
    assert_eq!(wrong.kind, FailureKind::CredentialRefused, "{wrong}");

    let store = PageStore::default();
    let mut watched = home.open(request(&store)).await.unwrap();
    store_pass(&mut *watched.changes, &store).await.unwrap();
    equals_what_it_says(&server, &mut watched, &store).await;
    tells_what_changes(&server, &mut watched, &store).await;
    lists_what_may_be_done(&*watched.actions).await;
    does_what_is_asked(&server, &*watched.actions).await;
    has_the_recorders_past(&server, &mut watched, &store).await;
    writes_nothing_twice(&server, &store).await;
    survives_a_restart(&mut server, watched, &store).await;
}

/// The entities, and where they stand by the home's own templates.
async fn equals_what_it_says(server: &HomeServer, watched: &mut WatchedSource, store: &PageStore) {
    let template = "{% set all = namespace(of=[]) %}{% for s in states %}{% set all.of = all.of + \
        [[s.entity_id, area_id(s.entity_id), device_id(s.entity_id)]] %}{% endfor %}{{ all.of | to_json }}";
    let template = json!({"template": template}).to_string();
    for _ in 0..10 {
        let states = server.rest("GET", "/api/states", "").await.unwrap();
        let places = server
            .rest("POST", "/api/template", &template)
            .await
            .unwrap();
        let (mut expected, mut stored) = (BTreeSet::new(), BTreeSet::new());
        for state in states.as_array().unwrap() {
            let place = places.as_array().unwrap().iter();
            let place = place.clone().find(|place| place[0] == state["entity_id"]);
            expected.insert(what_is_said(state, place.unwrap()));
        }
        for row in store.rows("home.entities").values() {
            if row["is_disabled"] != json!(true) {
                stored.insert(what_is_stored(row));
            }
        }
        if expected == stored {
            assert!(stored.len() > 100, "the demo world: {}", stored.len());
            assert_eq!(store.rows("home.areas").len(), 3);
            assert!(store.rows("home.devices").len() > 40);
            return;
        }
        // It changed in between.
        if let Ok(page) = timeout(Duration::from_secs(2), watched.changes.next_page(store)).await {
            store.apply(&page.unwrap());
        } else {
            assert_eq!(expected, stored);
        }
    }
    panic!("the store never had what the home says");
}

fn what_is_said(state: &Value, place: &Value) -> String {
    let attributes = &state["attributes"];
    json!([
        state["entity_id"],
        state["state"],
        attributes["friendly_name"],
        attributes["unit_of_measurement"],
        attributes["supported_features"],
        micros(&state["last_changed"]),
        place[1],
        place[2],
    ])
    .to_string()
}

fn what_is_stored(row: &Value) -> String {
    json!([
        row["entity_id"],
        row["state"],
        row["attributes"]["friendly_name"],
        row["unit"],
        row["supported_features"],
        micros(&row["last_changed"]),
        row["area_id"],
        row["device_id"],
    ])
    .to_string()
}

fn micros(at: &Value) -> i64 {
    let at = DateTime::parse_from_rfc3339(at.as_str().unwrap());
    at.unwrap().timestamp_micros()
}

/// An entity that appears, changes and goes.
async fn tells_what_changes(server: &HomeServer, watched: &mut WatchedSource, store: &PageStore) {
    for degrees in ["20", "21", "21.5"] {
        let body = json!({"state": degrees, "attributes": {"unit_of_measurement": "°C"}});
        let made = server.rest("POST", OUTSIDE, &body.to_string()).await;
        assert_eq!(made.unwrap()["state"], degrees);
    }
    let outside = |store: &PageStore| store.rows("home.entities").remove("sensor.outside");
    let degrees = json!(21.5);
    let is_there =
        |store: &PageStore| outside(store).is_some_and(|row| row["state_num"] == degrees);
    store_until(&mut *watched.changes, store, is_there)
        .await
        .unwrap();
    let past = |store: &PageStore| {
        let rows = store.rows("home.history").into_values();
        let rows = rows.filter(|row| row["entity_id"] == "sensor.outside");
        rows.map(|row| row["state"].clone()).collect::<Vec<_>>()
    };
    let is_told = |store: &PageStore| past(store).last() == Some(&json!("21.5"));
    store_until(&mut *watched.changes, store, is_told)
        .await
        .unwrap();

    server.rest("DELETE", OUTSIDE, "").await.unwrap();
    // What has no state any more took the empty one.
    let is_gone =
        |store: &PageStore| outside(store).is_none() && past(store).last() == Some(&json!(""));
    store_until(&mut *watched.changes, store, is_gone)
        .await
        .unwrap();
}

/// A pass over what is unchanged keeps all and writes nothing.
async fn writes_nothing_twice(server: &HomeServer, store: &PageStore) {
    let home = home_at(server.port, &server.token);
    let mut again = home.open(request(store)).await.unwrap();
    store_pass(&mut *again.changes, store).await.unwrap();
    let mut once_more = home.open(request(store)).await.unwrap();
    let written = store.written();
    store_pass(&mut *once_more.changes, store).await.unwrap();
    let written = store.written() - written;
    // The sun moves by itself.
    assert!(written < 5, "{written}");
}

/// The stream ends; the next one waits until the home has started, and judges nothing gone.
async fn survives_a_restart(
    server: &mut HomeServer,
    mut watched: WatchedSource,
    store: &PageStore,
) {
    let keys = |store: &PageStore| store.rows("home.entities").into_keys().collect::<Vec<_>>();
    let before = keys(store);
    server.stop().await;
    let never = |_: &PageStore| false;
    let ended = store_until(&mut *watched.changes, store, never).await;
    assert_eq!(ended.unwrap_err().kind, FailureKind::Unavailable);
    let home = home_at(server.port, &server.token);
    let refused = home.open(request(store)).await.err().unwrap();
    assert_eq!(refused.kind, FailureKind::Unavailable);
    server.start_again();
    let reconnecting = async {
        loop {
            match home.open(request(store)).await {
                Ok(watched) => return watched,
                Err(failure) => assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}"),
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let mut again = timeout(Duration::from_secs(120), reconnecting)
        .await
        .unwrap();
    store_pass(&mut *again.changes, store).await.unwrap();
    assert_eq!(keys(store), before);
}
