//! The past of a real home.

use std::collections::BTreeMap;
use std::time::Duration;

use sextant_connectors::round::WatchedSource;
use tokio::time::timeout;

use super::super::server::HomeServer;
use super::super::store::PageStore;
use super::super::{request, store_until};
use super::micros;

/// Row by row, whether it came as seconds from the recorder or as text from the socket.
pub(super) async fn has_the_recorders_past(
    server: &HomeServer,
    watched: &mut WatchedSource,
    store: &PageStore,
) {
    let rows = store.rows("home.history").into_values();
    let newest = rows.map(|row| micros(&row["changed_at"])).max().unwrap();
    let is_read = |store: &PageStore| {
        let position = store.positions().remove("history");
        position.is_some_and(|position| micros(&position["until"]) >= newest)
    };
    store_until(&mut *watched.changes, store, is_read)
        .await
        .unwrap();
    for _ in 0..10 {
        let (recorded, stored) = (recorded(server, store).await, stored_past(store));
        if recorded == stored {
            assert!(stored.len() > 100, "{}", stored.len());
            return;
        }
        if let Ok(page) = timeout(Duration::from_secs(2), watched.changes.next_page(store)).await {
            store.apply(&page.unwrap());
        } else {
            let less = recorded
                .iter()
                .find(|(key, state)| stored.get(*key) != Some(*state));
            let more = stored.keys().find(|key| !recorded.contains_key(*key));
            panic!("recorded only: {less:?}; stored only: {more:?}");
        }
    }
    panic!("the store never had what was recorded");
}

/// States by entity and millisecond.
type Past = BTreeMap<(String, i64), String>;

/// What the recorder kept. Of two states within a millisecond (the demo world's mailbox takes them at its start) the later one.
async fn recorded(server: &HomeServer, store: &PageStore) -> Past {
    let entities = store.rows("home.entities");
    let has_state = entities.iter().filter(|(_, row)| row["state"].is_string());
    let ids: Vec<(&String, &str)> = has_state
        .map(|(key, row)| (key, row["entity_id"].as_str().unwrap()))
        .collect();
    let mut filter: Vec<&str> = ids.iter().map(|(_, id)| *id).collect();
    filter.push("sensor.outside");
    let path = format!(
        "/api/history/period/{}?filter_entity_id={}&significant_changes_only=0&skip_initial_state&no_attributes",
        (request(store).now - chrono::TimeDelta::days(10)).format("%Y-%m-%dT%H:%M:%S%%2B00:00"),
        filter.join(","),
    );
    let path = format!("{path}&end_time=2100-01-01T00:00:00%2B00:00");
    let answer = server.rest("GET", &path, "").await.unwrap();
    let states = answer
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|of| of.as_array().unwrap());
    states
        .map(|state| {
            let id = state["entity_id"].as_str().unwrap();
            let key = ids.iter().find(|(_, known)| *known == id);
            let key = key.map_or(id, |(key, _)| key.as_str());
            let at = micros(&state["last_changed"]).div_euclid(1000);
            let taken = state["state"].as_str().unwrap().to_owned();
            ((key.to_owned(), at), taken)
        })
        .collect()
}

fn stored_past(store: &PageStore) -> Past {
    let rows = store.rows("home.history").into_iter();
    rows.map(|(source_id, row)| {
        let (key, at) = source_id.rsplit_once(':').unwrap();
        assert_eq!(row["entity_id"], key);
        let taken = row["state"].as_str().unwrap().to_owned();
        ((key.to_owned(), at.parse().unwrap()), taken)
    })
    .collect()
}
