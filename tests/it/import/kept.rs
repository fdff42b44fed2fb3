//! What exists already when an export is imported: connections and agents stay as they are.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Entries, assert_nothing_came, export, import};
use crate::support::TestApp;

async fn push(app: &TestApp, (id, secret): &(String, String), records: Value) -> Value {
    let request = app.request(Method::POST, &format!("/api/ingest/{id}"));
    let request = request.bearer_auth(secret).json(&records);
    app.send(request).await.expect(200)
}

async fn names(app: &TestApp) -> Value {
    let asked = json!({ "target": "people", "select": ["full_name"] });
    app.post("/api/data/contacts", asked).await.expect(200)["rows"].clone()
}

/// A store with contacts of one connection, an agent, and its export.
async fn app_with_rows() -> (TestApp, (String, String), Vec<u8>) {
    let app = TestApp::start().await;
    let phone = app.push_connection("contacts.people").await;
    push(
        &app,
        &phone,
        json!([{ "id": "a", "full_name": "Ada" }, { "id": "b", "full_name": "Bob" }]),
    )
    .await;
    push(&app, &phone, json!({ "deleted": ["b"] })).await;
    app.key_of("laptop", &["contacts"]).await;
    let bundle = export(&app).await;
    (app, phone, bundle)
}

#[actix_web::test]
async fn after_all_is_erased_an_export_comes_back_to_its_own_connections() {
    let (app, phone, bundle) = app_with_rows().await;
    let watch = app.push_connection("health.samples").await;
    let refused = import(&app, bundle.clone()).await;
    refused.expect_problem(409, "conflict", None);
    app.post("/api/erase", json!({ "scope": "all" }))
        .await
        .expect(200);
    let before = app.connections().await;

    let answer = import(&app, bundle).await.expect(200);
    assert_eq!(names(&app).await, json!([["Ada"]]));
    assert_eq!(
        (&answer["connections"], &answer["agents"]),
        (&json!(0), &json!(0))
    );
    let notes = answer["notes"].to_string();
    for said in [
        "stay as they are",
        "contacts.people",
        "agents of these names were here already",
        "laptop",
    ] {
        assert!(notes.contains(said), "{said}: {notes}");
    }
    assert!(!notes.contains("came without secrets"), "{notes}");
    assert_eq!(app.connections().await, before);
    assert_eq!(app.agent("laptop").await.expect(200)["status"], "active");
    // Their devices go on, and can change the imported rows.
    let pushed = push(&app, &phone, json!([{ "id": "a", "full_name": "Ada L." }])).await;
    assert_eq!(pushed["updated"], 1);
    push(&app, &watch, json!([])).await;
    assert_eq!(names(&app).await, json!([["Ada L."]]));
}

#[actix_web::test]
async fn a_connection_that_is_another_here_refuses_all_of_it() {
    let (old, phone, bundle) = app_with_rows().await;
    old.push_connection("contacts.groups").await;
    let entries = Entries::of(&export(&old).await);
    for (sector, table) in [("contacts", "contacts.groups"), ("mail", "mail.messages")] {
        let app = TestApp::start().await;
        app.push_connection("home.entities").await;
        let client = app.database.connect().await;
        let sql = format!(
            "UPDATE connections SET id = '{}', sector = '{sector}', target_table = '{table}'",
            phone.0
        );
        client.batch_execute(&sql).await.unwrap();
        let answer = import(&app, bundle.clone()).await.expect(400);
        let said = answer["message"].as_str().unwrap();
        assert!(
            said.contains("connections.jsonl, line 1: a connection with its id"),
            "{said}"
        );
        let answer = import(&app, entries.packed()).await.expect(400);
        assert!(
            answer["message"].to_string().contains("is here already"),
            "{answer}"
        );
        client
            .batch_execute("DELETE FROM connections")
            .await
            .unwrap();
        assert_nothing_came(&app).await;
    }
}

/// A tombstone would keep its id from being stored.
#[actix_web::test]
async fn tombstones_keep_an_import_out_until_all_is_erased() {
    let (app, phone, bundle) = app_with_rows().await;
    push(&app, &phone, json!({ "deleted": ["a"] })).await;
    let refused = import(&app, bundle.clone()).await;
    refused.expect_problem(409, "conflict", None);
    app.post("/api/erase", json!({ "scope": "all" }))
        .await
        .expect(200);
    import(&app, bundle).await.expect(200);
    assert_eq!(names(&app).await, json!([["Ada"]]));
}
