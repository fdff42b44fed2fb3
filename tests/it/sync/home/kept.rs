//! How long the past of a home is kept.

use std::sync::Arc;

use serde_json::{Value, json};
use sextant_actors::clock::SystemClock;

use super::World;
use crate::support::app::{TestApp, settings};
use crate::support::cursors;
use crate::support::eventually::eventually;

/// The service as it starts when so much time has passed: what is stored is older, and the hourly work is done at once.
async fn started_again(app: TestApp, aged: &str) -> TestApp {
    let database = app.stop_in_order().await;
    let client = database.connect().await;
    client.batch_execute(aged).await.unwrap();
    TestApp::start_on(database, settings(), Arc::new(SystemClock)).await
}

/// Its past is read back to ten days; what is there now is known whole, however long it has been so.
#[actix_web::test]
#[expect(clippy::disallowed_methods, reason = "a real home has the real time")]
async fn agents_are_told_how_far_back_the_past_of_a_home_reaches() {
    let test = "agents_are_told_how_far_back_the_past_of_a_home_reaches";
    let Some(world) = World::connect(test).await else {
        return;
    };
    world.caught_up().await;
    let now = chrono::Utc::now();
    let covers_from = async || {
        let (context, _) = world.call("describe_context", json!({})).await;
        context["freshness"]["home"]["connections"][0]["covers_from"].clone()
    };
    let mut told = Value::Null;
    eventually("its past is begun", async || {
        told = covers_from().await;
        told.is_string()
    })
    .await;
    let told: chrono::DateTime<chrono::Utc> = serde_json::from_value(told).unwrap();
    let ten_days = now - chrono::TimeDelta::days(10);
    assert!(
        (told - ten_days).abs() < chrono::TimeDelta::hours(1),
        "{told}"
    );
    for (target, time, reason) in [
        ("home.history", "changed_at", "outside_window"),
        ("home.entities", "last_changed", "no_match"),
    ] {
        let asked = json!({"target": target, "where": {time: {"lt": "2020-01-01"}}});
        let (answer, _) = world.call("query", asked).await;
        assert_eq!(answer["empty"]["reason"], reason, "{target}");
    }
}

#[actix_web::test]
async fn what_a_home_was_is_kept_for_thirty_days_and_older_cursors_are_refused() {
    let test = "what_a_home_was_is_kept_for_thirty_days_and_older_cursors_are_refused";
    let Some(world) = World::connect(test).await else {
        return;
    };
    world.caught_up().await;
    let mut asked = json!({"target": "history", "limit": 1});
    let mut cursor = Value::Null;
    eventually("something happened at home", async || {
        let answer = world
            .app
            .post("/api/data/home", asked.clone())
            .await
            .expect(200);
        cursor = answer["change_cursor"].clone();
        !answer["rows"].as_array().unwrap().is_empty()
    })
    .await;
    let pause = format!("/api/connections/{}/pause", world.connection);
    world.app.post(&pause, json!({})).await.expect(200);

    let app = started_again(
        world.app,
        "UPDATE home.history SET changed_at = changed_at - interval '31 days';
        UPDATE source_items SET at = at - interval '31 days' WHERE scope = 'history'",
    )
    .await;
    eventually("what is too old is gone", async || {
        let answer = app.post("/api/data/home", asked.clone()).await.expect(200);
        answer["rows"] == json!([])
    })
    .await;
    // A tombstone tells of each, to whoever asks what changed.
    asked["changed_since"] = cursor.clone();
    asked["limit"] = json!(1000);
    let told = app.post("/api/data/home", asked.clone()).await.expect(200);
    assert!(!told["deleted"].as_array().unwrap().is_empty(), "{told}");
    let seen = cursors::settled(&app, "home.history").await;
    asked["changed_since"] = cursor;

    let app = started_again(
        app,
        "UPDATE home.history SET deleted_at = deleted_at - interval '31 days' WHERE deleted_at IS NOT NULL",
    )
    .await;
    eventually("what was not seen is not known any more", async || {
        let answer = app.post("/api/data/home", asked.clone()).await;
        answer.status == 400 && answer.text.contains("cursor_expired")
    })
    .await;
    asked["changed_since"] = seen;
    let told = app.post("/api/data/home", asked).await.expect(200);
    assert_eq!(told["rows"], json!([]), "{told}");
}
