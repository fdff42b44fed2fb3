//! How long the past of a home is kept.

use std::sync::Arc;

use chrono::{TimeDelta, Utc};
use serde_json::{Value, json};
use sextant_actors::clock::FrozenClock;

use super::World;
use crate::support::app::{TestApp, settings};
use crate::support::eventually::eventually;

#[actix_web::test]
#[expect(
    clippy::disallowed_methods,
    reason = "the home has the clock of this machine"
)]
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

    let later = |days: i64| Arc::new(FrozenClock::at(Utc::now() + TimeDelta::days(days)));
    let app = world.app;
    let app = TestApp::start_on(app.stop_in_order().await, settings(), later(31)).await;
    eventually("what is too old is gone", async || {
        let answer = app.post("/api/data/home", asked.clone()).await.expect(200);
        answer["rows"] == json!([])
    })
    .await;
    // A tombstone tells of each, to whoever asks what changed.
    asked["changed_since"] = cursor;
    asked["limit"] = json!(1000);
    let told = app.post("/api/data/home", asked.clone()).await.expect(200);
    assert!(!told["deleted"].as_array().unwrap().is_empty(), "{told}");
    let seen = told["change_cursor"].clone();

    let app = TestApp::start_on(app.stop_in_order().await, settings(), later(62)).await;
    eventually("what was not seen is not known any more", async || {
        let answer = app.post("/api/data/home", asked.clone()).await;
        answer.status == 400 && answer.text.contains("cursor_expired")
    })
    .await;
    asked["changed_since"] = seen;
    let told = app.post("/api/data/home", asked).await.expect(200);
    assert_eq!(told["rows"], json!([]), "{told}");
}
