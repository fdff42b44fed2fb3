use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sextant_actors::clock::FrozenClock;

use crate::support::app::settings;
use crate::support::eventually::eventually;
use crate::support::failing::{POISON, panicking_once};
use crate::support::{TestApp, TestDatabase};

fn noon() -> DateTime<Utc> {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

/// The row of an actor after a start.
fn fresh(id: &str) -> Value {
    json!({
        "id": id, "kind": id, "connectionId": null, "state": "running", "restarts": 0, "crashes": 0,
        "lastError": null, "since": noon()
    })
}

async fn actors(app: &TestApp) -> Value {
    app.get("/api/actors").await.expect(200)["actors"].clone()
}

#[actix_web::test]
async fn the_actors_are_listed_with_their_state_and_sessions_as_one_row() {
    let clock = Arc::new(FrozenClock::at(noon()));
    let app = TestApp::start_on(TestDatabase::create().await, settings(), clock).await;
    let house = ["audit", "connections", "grants", "session-registry"].map(fresh);
    assert_eq!(actors(&app).await, json!(house));
    let key = app.key_of("reader", &["mail"]).await;
    let _leases = [
        app.open_session(&key, "one").await,
        app.open_session(&key, "two").await,
    ];
    // The registry leases a session before the session's thread has started it.
    eventually("both stand there as one row", async || {
        let listed = actors(&app).await;
        let all = listed.as_array().unwrap().iter();
        let sessions: Vec<&Value> = all.filter(|actor| actor["kind"] == "session").collect();
        sessions == [&fresh("session")]
    })
    .await;
}

#[actix_web::test]
async fn a_restart_shows_with_its_time_and_without_what_the_actor_was_working_on() {
    let clock = FrozenClock::at(noon());
    let app = TestApp::start_in(
        TestDatabase::create().await,
        settings(),
        Arc::new(clock.clone()),
        panicking_once,
    )
    .await;
    clock.advance(TimeDelta::minutes(7));
    app.create_agent(json!({ "name": POISON, "sectors": ["mail"] }))
        .await
        .expect_problem(503, "unavailable", None);
    // The actor answers again, at the same address.
    app.key_of("reader", &["mail"]).await;
    let listed = actors(&app).await;
    let grants = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|actor| actor["id"] == "grants")
        .unwrap();
    assert_eq!(grants["state"], "running");
    assert_eq!(
        (&grants["restarts"], &grants["crashes"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(grants["since"], json!(noon() + TimeDelta::minutes(7)));
    let told = grants["lastError"].as_str().unwrap();
    assert!(!told.is_empty() && !told.contains(POISON), "{told}");
}
