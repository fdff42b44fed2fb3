//! The numbers of rows in the sectors, when counting takes longer than allowed.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::app::settings;

/// Longer than counting and estimating take together, however busy this computer is.
const PATIENT: Duration = Duration::from_secs(60);

async fn rows(app: &TestApp, sector: &str) -> Value {
    let told = app.get("/api/status").await.expect(200);
    let tiles = told["sectors"].as_array().unwrap();
    let tile = tiles.iter().find(|tile| tile["name"] == sector).unwrap();
    tile["rows"].clone()
}

#[actix_web::test]
async fn rows_that_cannot_be_counted_in_time_are_estimated() {
    let mut settings = settings();
    settings.reads.count_wait_max = PATIENT;
    let app = TestApp::start_with(settings).await;
    let (connection, secret) = app.push_connection("mail.messages").await;
    let records: Vec<Value> = ["a", "b", "c"]
        .map(|id| json!({ "id": id, "subject": "x" }))
        .into();
    let push = app.request(Method::POST, &format!("/api/ingest/{connection}"));
    app.send(push.bearer_auth(&secret).json(&records))
        .await
        .expect(200);
    let database = app.database.connect().await;
    // An estimate includes the deleted row, so it cannot be mistaken for a count.
    let deleted =
        "UPDATE mail.messages SET deleted_at = now() WHERE source_id = 'a'; ANALYZE mail.messages";
    database.batch_execute(deleted).await.unwrap();
    // Counting waits for this lock, longer than it may.
    let stand_still = "BEGIN; LOCK TABLE mail.messages IN ACCESS EXCLUSIVE MODE";
    database.batch_execute(stand_still).await.unwrap();
    assert_eq!(rows(&app, "mail").await, 3);
    assert_eq!(rows(&app, "home").await, 0, "no sector is left out");
}
