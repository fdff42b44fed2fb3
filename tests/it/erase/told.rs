//! Requests for an erase, refused ones, and the audit rows.

use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use super::{acts, count, erase, of_connection, preview};
use crate::support::TestApp;

async fn contact(app: &TestApp) -> String {
    let (id, secret) = app.push_connection("contacts.people").await;
    let request = app.request(reqwest::Method::POST, &format!("/api/ingest/{id}"));
    let body = json!([{ "full_name": "Ada" }, { "full_name": "Grace" }]);
    app.send(request.bearer_auth(secret).json(&body))
        .await
        .expect(200);
    id
}

#[actix_web::test]
async fn a_field_that_does_not_go_with_the_scope_is_named_and_nothing_is_done() {
    let app = TestApp::start().await;
    let id = contact(&app).await;
    for (body, field) in [
        (json!({}), "scope"),
        (json!({ "scope": "everything" }), "scope"),
        (
            json!({ "scope": "all", "connectionId": id }),
            "connectionId",
        ),
        (json!({ "scope": "all", "sector": null }), "sector"),
        (json!({ "scope": "sector" }), "sector"),
        (json!({ "scope": "sector", "sector": "stars" }), "sector"),
        (
            json!({ "scope": "connection", "connectionId": "7" }),
            "connectionId",
        ),
        (
            json!({ "scope": "connection", "connectionId": id, "sector": "contacts" }),
            "sector",
        ),
        (json!({ "scope": "all", "force": true }), "force"),
    ] {
        for path in ["/api/erase", "/api/erase/preview"] {
            let answer = app.post(path, body.clone()).await;
            answer.expect_problem(400, "invalid", Some(field));
        }
    }
    assert_eq!(count(&app, "SELECT count(*) FROM contacts.people").await, 2);
    erase(&app, json!({ "scope": "sector", "sector": "home" })).await;
    assert_eq!(
        acts(&app, 1).await.len(),
        1,
        "what could not be read is no act"
    );
}

#[actix_web::test]
async fn r040_r048_an_erase_leaves_one_row_with_its_scope_and_its_count() {
    let app = TestApp::start().await;
    let id = contact(&app).await;
    let unknown = Uuid::nil().to_string();
    app.post("/api/erase/preview", of_connection(&unknown))
        .await
        .expect_problem(404, "not_found", None);
    app.post("/api/erase", of_connection(&unknown))
        .await
        .expect_problem(404, "not_found", None);
    preview(&app, of_connection(&id)).await;
    let done = erase(&app, of_connection(&id)).await;
    assert_eq!(
        done,
        json!({ "deleted": 2, "tables": { "contacts.people": 2 } })
    );
    erase(&app, json!({ "scope": "sector", "sector": "mail" })).await;
    erase(&app, json!({ "scope": "all" })).await;
    let rows = acts(&app, 4).await;
    let told: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!([
                row["sector"],
                row["args"],
                row["result_count"],
                row["outcome"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!([null, of_connection(&unknown), null, "error"]),
            json!(["contacts", of_connection(&id), 2, "ok"]),
            json!(["mail", { "scope": "sector", "sector": "mail" }, 0, "ok"]),
            json!([null, { "scope": "all" }, 0, "ok"]),
        ]
    );
    for row in &rows {
        assert_eq!(
            json!([row["agent_id"], row["decision"], row["deny_reason"]]),
            json!(["operator", "allow", null])
        );
    }
}

/// There are no pulled sources yet, so one is inserted by hand.
#[actix_web::test]
async fn a_connection_that_is_pulled_is_paused_and_one_that_is_pushed_to_is_not() {
    let app = TestApp::start().await;
    let pushed = contact(&app).await;
    let (pulled, _) = app.push_connection("contacts.people").await;
    let (other, _) = app.push_connection("mail.messages").await;
    let client = app.database.connect().await;
    for id in [&pulled, &other] {
        let id: Uuid = id.parse().unwrap();
        let sql = "UPDATE connections SET provider = 'imap' WHERE user_id = $1 AND id = $2";
        client.execute(sql, &[&OPERATOR, &id]).await.unwrap();
    }
    app.publish_connections().await;
    erase(&app, json!({ "scope": "sector", "sector": "contacts" })).await;
    let mut states = Vec::new();
    for id in [&pushed, &pulled, &other] {
        states.push(app.connection(id).await.expect(200)["state"].clone());
    }
    assert_eq!(states, ["active", "paused", "active"]);
    let published = app.published(&pulled).unwrap().state;
    assert_eq!(published, sextant_actors::domain::ConnectionState::Paused);
}

#[actix_web::test]
async fn r507_a_foreign_page_erases_nothing() {
    let app = TestApp::start().await;
    contact(&app).await;
    for (name, value) in [
        ("origin", "http://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ] {
        let request = app
            .request(reqwest::Method::POST, "/api/erase")
            .header(name, value);
        let answer = app.send(request.json(&json!({ "scope": "all" }))).await;
        answer.expect_problem(403, "forbidden_host", None);
    }
    assert_eq!(count(&app, "SELECT count(*) FROM contacts.people").await, 2);
}
