use reqwest::Method;
use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use crate::support::TestApp;
use crate::support::eventually::eventually;

/// Stores a contact of this connection as a push would.
async fn store_contact(app: &TestApp, connection: &str, source_id: &str) {
    let sql = "INSERT INTO contacts.people (id, user_id, connection_id, source_id, full_name) \
               SELECT $1, user_id, id, $2, 'Ada' FROM connections WHERE id = $3";
    let id = sextant_actors::random::identifier().unwrap();
    let connection: Uuid = connection.parse().unwrap();
    let client = app.database.connect().await;
    assert_eq!(
        client
            .execute(sql, &[&id, &source_id, &connection])
            .await
            .unwrap(),
        1
    );
}

async fn count(app: &TestApp, sql: &str) -> i64 {
    app.database
        .connect()
        .await
        .query_one(sql, &[])
        .await
        .unwrap()
        .get(0)
}

#[actix_web::test]
async fn a_disconnect_that_keeps_takes_the_secret_and_leaves_the_rows() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("contacts.people").await;
    store_contact(&app, &id, "a").await;
    let done = app
        .disconnect(&id, json!({ "rows": "keep" }))
        .await
        .expect(200);
    let expected = json!({ "id": id, "rows": "keep", "deleted": 0, "consent": null });
    assert_eq!(done, expected);
    assert_eq!(app.connections().await, json!([]));
    app.connection(&id)
        .await
        .expect_problem(404, "not_found", None);
    assert!(app.published(&id).is_none());
    assert_eq!(count(&app, "SELECT count(*) FROM contacts.people").await, 1);
    let left = "SELECT count(*) FROM connections WHERE removed_at IS NOT NULL AND ingest_secret_sha256 IS NULL";
    assert_eq!(count(&app, left).await, 1);
}

#[actix_web::test]
async fn a_disconnect_that_deletes_erases_this_connections_rows_and_no_others() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("contacts.people").await;
    let (other, _) = app.push_connection("contacts.people").await;
    for source_id in ["a", "b"] {
        store_contact(&app, &id, source_id).await;
    }
    store_contact(&app, &other, "a").await;
    let done = app
        .disconnect(&id, json!({ "rows": "delete" }))
        .await
        .expect(200);
    assert_eq!(done["deleted"], 2);
    assert_eq!(count(&app, "SELECT count(*) FROM contacts.people").await, 1);
    assert_eq!(app.connections().await[0]["id"], other.as_str());
}

#[actix_web::test]
async fn every_sectors_tables_can_be_erased() {
    let app = TestApp::start().await;
    for target in [
        "finance.accounts",
        "mail.messages",
        "calendar.series",
        "contacts.groups",
        "health.days",
        "home.history",
    ] {
        let (id, _) = app.push_connection(target).await;
        let done = app
            .disconnect(&id, json!({ "rows": "delete" }))
            .await
            .expect(200);
        assert_eq!(done["deleted"], 0, "{target}");
    }
}

#[actix_web::test]
async fn r039_a_disconnect_leaves_one_row_that_says_what_became_of_the_rows() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("home.entities").await;
    app.disconnect(&id, json!({ "rows": "both" }))
        .await
        .expect_problem(400, "invalid", Some("rows"));
    app.disconnect(&id, json!({ "rows": "delete" }))
        .await
        .expect(200);
    app.disconnect(&id, json!({ "rows": "delete" }))
        .await
        .expect_problem(404, "not_found", None);
    let rows = app.audit_rows(2).await;
    assert_eq!(rows.len(), 2);
    let first = &rows[0];
    assert_eq!(
        (&first["tool"], &first["outcome"], &first["sector"]),
        (&json!("disconnect"), &json!("ok"), &json!("home"))
    );
    assert_eq!(
        first["args"],
        json!({ "connectionId": id, "rows": "delete" })
    );
    assert_eq!(first["result_count"], Value::Null);
    assert_eq!(rows[1]["outcome"], "error");
}

/// Waits until a statement in this test's database waits for a lock.
async fn someone_waits(app: &TestApp) {
    let sql = "SELECT count(*) FROM pg_stat_activity \
               WHERE datname = current_database() AND wait_event_type = 'Lock'";
    eventually("a statement waits for the lock", async || {
        count(app, sql).await > 0
    })
    .await;
}

#[actix_web::test]
async fn a_disconnect_waits_for_a_push_under_way_and_erases_its_rows_too() {
    let app = TestApp::start().await;
    let (id, _) = app.push_connection("contacts.people").await;
    let push = app.database.connect().await;
    push.batch_execute("BEGIN").await.unwrap();
    let hold = include_str!("../../../sql/statements/connections/hold.sql");
    let connection: Uuid = id.parse().unwrap();
    push.query_one(hold, &[&OPERATOR, &connection])
        .await
        .unwrap();
    store_contact(&app, &id, "a").await;
    let (done, ()) = tokio::join!(app.disconnect(&id, json!({ "rows": "delete" })), async {
        someone_waits(&app).await;
        push.batch_execute("COMMIT").await.unwrap();
    });
    assert_eq!(done.expect(200)["deleted"], 1);
}

#[actix_web::test]
async fn a_push_that_meets_a_removal_stores_nothing() {
    let app = TestApp::start().await;
    let (id, secret) = app.push_connection("contacts.people").await;
    let removal = app.database.connect().await;
    let begun =
        "BEGIN; SELECT id FROM connections FOR UPDATE; UPDATE connections SET removed_at = now()";
    removal.batch_execute(begun).await.unwrap();
    let path = format!("/api/ingest/{id}");
    let request = app.request(Method::POST, &path).bearer_auth(secret);
    let request = request.json(&json!([{ "full_name": "Ada" }]));
    let (answer, ()) = tokio::join!(app.send(request), async {
        someone_waits(&app).await;
        removal.batch_execute("COMMIT").await.unwrap();
    });
    answer.expect_problem(409, "conflict", None);
    assert_eq!(count(&app, "SELECT count(*) FROM contacts.people").await, 0);
}
