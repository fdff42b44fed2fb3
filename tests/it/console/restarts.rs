//! `POST /api/actors/{id}/restart`, while agents call, a device pushes, and the operator edits agents and connections.

mod load;

use reqwest::StatusCode;
use serde_json::{Value, json};

use self::load::Load;
use crate::support::TestApp;
use crate::support::app::Answer;
use crate::support::eventually::eventually;

/// The error of a call whose session was ended (docs/asking.md#when-a-grant-changes).
const SESSION_CLOSED: i32 = -31_001;

async fn restart(app: &TestApp, id: &str) -> Answer {
    app.post(&format!("/api/actors/{id}/restart"), json!({}))
        .await
}

/// The row of an actor.
async fn actor(app: &TestApp, id: &str) -> Value {
    let listed = app.get("/api/actors").await.expect(200);
    let mut rows = listed["actors"].as_array().unwrap().iter();
    rows.find(|row| row["id"] == id).unwrap().clone()
}

#[actix_web::test]
async fn r506_calls_pushes_and_edits_go_on_while_an_actor_is_restarted() {
    for id in ["audit", "grants", "connections"] {
        let load = Load::play(id).await;
        load.assert_every_call_was_served();
        load.assert_one_row_each().await;
        load.assert_grant_is_known().await;
        load.assert_change_is_published().await;
        let edits = load.edits.borrow();
        let unknown = edits.iter().filter(|(_, status)| *status != StatusCode::OK);
        assert!(id == "grants" || unknown.count() == 0, "{id}: {edits:?}");
    }
}

#[actix_web::test]
async fn r506_a_restarted_registry_ends_sessions_and_nothing_else() {
    let load = Load::play("session-registry").await;
    load.assert_one_row_each().await;
    load.assert_grant_is_known().await;
    let app = &load.app;
    assert!(load.pushes.borrow().iter().all(StatusCode::is_success));
    for call in load.calls.borrow().iter() {
        let is_served = call["result"]["isError"] == false;
        assert!(
            is_served || call["error"]["code"] == SESSION_CLOSED,
            "{call}"
        );
    }
    restart(app, "session-registry").await.expect(202);
    let keys = [
        app.key_of("one", &["mail"]).await,
        app.key_of("two", &["mail"]).await,
    ];
    for (key, client) in [(&keys[0], "a"), (&keys[0], "b"), (&keys[1], "a")] {
        app.open_session(key, client).await;
    }
    let told = restart(app, "session-registry").await.expect(202);
    assert_eq!(
        told,
        json!({ "id": "session-registry", "sessionsEnded": 3 })
    );
    assert_eq!(app.sessions("").await, json!([]));
    let told = restart(app, "session-registry").await.expect(202);
    assert_eq!(told["sessionsEnded"], 0);
}

#[actix_web::test]
async fn r506_what_cannot_be_restarted_is_refused_with_what_to_do() {
    let app = TestApp::start().await;
    let told = restart(&app, "grants").await.expect(202);
    assert_eq!(told, json!({ "id": "grants", "sessionsEnded": null }));
    for id in ["nobody", "session%20registry", "Grants"] {
        restart(&app, id)
            .await
            .expect_problem(404, "not_found", None);
    }
    let key = app.key_of("reader", &["mail"]).await;
    let lease = app.open_session(&key, "one").await;
    eventually("the session stands on the board", async || {
        app.tree
            .board
            .read()
            .iter()
            .any(|row| row.name == "session")
    })
    .await;
    let refused = restart(&app, "session").await;
    assert!(refused.text.contains("session-registry"), "{refused:?}");
    refused.expect_problem(409, "conflict", None);
    assert_eq!(lease.gate().state(), None);
    assert_eq!(app.audit("").await.expect(200)["rows"], json!([]));
}
