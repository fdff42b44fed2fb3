//! Flow 2: a device pushes and the agent sees it at once; what an agent is told when it sees nothing.

use serde_json::{Value, json};

use super::{agent, answer};
use crate::mcp::support::Client;
use crate::support::TestApp;

const EVENTS: &str = "calendar.events";

async fn events(client: &Client, filter: Value) -> Value {
    let asked = json!({ "target": EVENTS, "where": filter, "select": ["title"], "limit": 1 });
    answer(client, "query", asked).await
}

async fn reason(client: &Client, filter: Value) -> Value {
    let found = events(client, filter).await;
    assert_eq!(found["returned"], 0, "{found}");
    found["empty"]["reason"].clone()
}

/// Pushes an endless series; returns the answer's status.
async fn push(app: &TestApp, id: &str, secret: &str) -> u16 {
    let series = json!([{ "id": "standup", "title": "Stand-up", "start_at": "2026-03-27T09:00:00", "end_at": "2026-03-27T09:15:00",
        "time_zone": "Europe/Vienna", "rrule": ["RRULE:FREQ=WEEKLY"] }]);
    let request = app.request(reqwest::Method::POST, &format!("/api/ingest/{id}"));
    let pushed = app.send(request.bearer_auth(secret).json(&series)).await;
    pushed.status.as_u16()
}

#[actix_web::test]
async fn r073_an_agent_is_told_why_it_sees_nothing_all_the_way_of_a_connections_life() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["calendar"]).await;
    let nothing = || json!({ "title": "Sit-down" });
    assert_eq!(reason(&client, json!({})).await, "no_connection");
    let (id, secret) = app.push_connection("calendar.series").await;
    assert_eq!(reason(&client, json!({})).await, "never_synced");

    assert_eq!(push(&app, &id, &secret).await, 200);
    let found = events(&client, json!({ "title": "Stand-up" })).await;
    assert_eq!(found["rows"], json!([["Stand-up"]]));
    assert_eq!(reason(&client, nothing()).await, "no_match");
    let far = json!({ "start_at": { "gte": "now+3y" } });
    assert_eq!(reason(&client, far).await, "outside_window");

    app.pause(&id).await.expect(200);
    assert_eq!(push(&app, &id, &secret).await, 401);
    assert_eq!(reason(&client, nothing()).await, "paused");
    assert_eq!(events(&client, json!({})).await["returned"], 1);
    app.resume(&id).await.expect(200);
    assert_eq!(push(&app, &id, &secret).await, 200);

    app.disconnect(&id, json!({ "rows": "keep" }))
        .await
        .expect(200);
    assert_eq!(push(&app, &id, &secret).await, 401);
    assert_eq!(events(&client, json!({})).await["returned"], 1);
    assert_eq!(reason(&client, nothing()).await, "no_match");
}

#[actix_web::test]
async fn a_disconnect_that_deletes_leaves_the_agent_an_empty_sector() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["calendar"]).await;
    let (id, secret) = app.push_connection("calendar.series").await;
    assert_eq!(push(&app, &id, &secret).await, 200);
    assert_eq!(events(&client, json!({})).await["returned"], 1);
    let done = app
        .disconnect(&id, json!({ "rows": "delete" }))
        .await
        .expect(200);
    assert!(done["deleted"].as_u64().unwrap() > 0);
    assert_eq!(reason(&client, json!({})).await, "no_connection");
}
