//! The numbers of rows in the sectors are kept: they need no table of a sector.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::TestApp;

async fn rows(app: &TestApp, sector: &str) -> Value {
    let told = app.get("/api/status").await.expect(200);
    let tiles = told["sectors"].as_array().unwrap();
    let tile = tiles.iter().find(|tile| tile["name"] == sector).unwrap();
    tile["rows"].clone()
}

/// The successor of a test by which the rows of a table that stands still were estimated.
#[actix_web::test]
async fn rows_are_exact_while_their_table_stands_still() {
    let app = TestApp::start().await;
    let (connection, secret) = app.push_connection("mail.messages").await;
    let records: Vec<Value> = ["a", "b", "c"]
        .map(|id| json!({ "id": id, "subject": "x" }))
        .into();
    let push = app.request(Method::POST, &format!("/api/ingest/{connection}"));
    app.send(push.bearer_auth(&secret).json(&records))
        .await
        .expect(200);
    let database = app.database.connect().await;
    let deleted = "UPDATE mail.messages SET deleted_at = now() WHERE source_id = 'a'";
    database.batch_execute(deleted).await.unwrap();
    let stand_still = "BEGIN; LOCK TABLE mail.messages IN ACCESS EXCLUSIVE MODE";
    database.batch_execute(stand_still).await.unwrap();
    assert_eq!(rows(&app, "mail").await, 2);
    assert_eq!(rows(&app, "home").await, 0, "no sector is left out");
}
