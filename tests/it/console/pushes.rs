//! `GET /api/connections/{id}/pushes`: the last pushes of a connection.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::app::Answer;
use crate::support::eventually::eventually;

const JSON: &str = "application/json";
/// Pushes of one connection that stay noted.
const KEPT: usize = 100;

/// A push connection.
struct Device<'a> {
    app: &'a TestApp,
    id: String,
    secret: String,
}

impl<'a> Device<'a> {
    async fn of(app: &'a TestApp, target: &str) -> Self {
        let (id, secret) = app.push_connection(target).await;
        Self { app, id, secret }
    }

    async fn send(&self, query: &str, secret: &str, media: &str, body: String) -> Answer {
        let path = format!("/api/ingest/{}{query}", self.id);
        let request = self.app.request(Method::POST, &path);
        let request = request.bearer_auth(secret).header("content-type", media);
        self.app.send(request.body(body)).await
    }

    async fn push(&self, body: &Value) -> Answer {
        self.send("", &self.secret, JSON, body.to_string()).await
    }

    async fn pushes(&self, query: &str) -> Value {
        let path = format!("/api/connections/{}/pushes{query}", self.id);
        self.app.get(&path).await.expect(200)
    }

    async fn rows(&self) -> Vec<Value> {
        self.pushes("?limit=100").await["rows"]
            .as_array()
            .unwrap()
            .clone()
    }

    /// Waits for so many pushes: refused ones are noted after their answer.
    async fn rows_once_there(&self, count: usize) -> Vec<Value> {
        eventually("the pushes are noted", async || {
            self.rows().await.len() == count
        })
        .await;
        self.rows().await
    }
}

fn entity(id: &str, state: &str) -> Value {
    json!({ "id": id, "entity_id": format!("light.{id}"), "state": state })
}

fn counts(row: &Value) -> [u64; 6] {
    let names = [
        "upserted",
        "inserted",
        "updated",
        "unchanged",
        "deleted",
        "rejected",
    ];
    names.map(|name| row[name].as_u64().unwrap())
}

#[actix_web::test]
async fn a_stored_push_is_told_with_its_counts_and_the_newest_stands_first() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "home.entities").await;
    let none = device.pushes("").await;
    assert_eq!(none, json!({ "rows": [], "next": null }));
    let first = json!([entity("a", "on"), entity("b", "on"), entity("c", "on")]);
    device.push(&first).await.expect(200);
    let second = json!({ "records": [entity("a", "off"), entity("b", "on"), 7, entity("d", "on")],
        "deleted": ["c"] });
    let text = second.to_string();
    let answer = device
        .send("?partial=true", &device.secret, JSON, text.clone())
        .await
        .expect(200);
    let rows = device.rows().await;
    assert_eq!(rows.len(), 2);
    assert_eq!(counts(&rows[0]), [3, 1, 1, 1, 1, 1]);
    assert_eq!(answer["rejected"].as_array().unwrap().len(), 1);
    assert_eq!(counts(&rows[1]), [3, 3, 0, 0, 0, 0]);
    for (row, bytes) in [(&rows[0], text.len()), (&rows[1], first.to_string().len())] {
        assert_eq!(row["outcome"], "stored");
        assert_eq!(row["bytes"], bytes);
        assert_eq!(row["refusal"], Value::Null);
    }
    let shown = app.connection(&device.id).await.expect(200);
    assert_eq!(rows[0]["at"], shown["lastSyncAt"]);
}

#[actix_web::test]
async fn a_refused_push_of_whoever_has_the_secret_is_told_and_no_other() {
    let app = TestApp::start_with_body_bytes_max(2_000).await;
    let device = Device::of(&app, "home.entities").await;
    let bad =
        json!([entity("a", "on"), { "entity_id": "light.b", "state": "on", "attributes": 7 }, 7]);
    let refused = device.push(&bad).await.expect(400);
    let rows = device.rows_once_there(1).await;
    assert_eq!(rows[0]["outcome"], "refused");
    assert_eq!(counts(&rows[0]), [0; 6]);
    assert_eq!(rows[0]["bytes"], Value::Null);
    let refusal = &rows[0]["refusal"];
    assert_eq!(
        (&refusal["error"], &refusal["message"], &refusal["problem"]),
        (
            &refused["error"],
            &refused["message"],
            &refused["problems"][0]
        )
    );
    let text = || json!([entity("a", "on")]).to_string();
    let sent = [
        ("?such=1", "application/json", text(), 400, "invalid"),
        ("", "text/csv", text(), 415, "unsupported_media_type"),
        ("", "application/json", "x".repeat(3_000), 413, "too_large"),
        ("", "application/json", "[{".to_owned(), 400, "invalid"),
    ];
    for (already, (query, media, body, status, error)) in sent.into_iter().enumerate() {
        device
            .send(query, &device.secret, media, body)
            .await
            .expect(status);
        let rows = device.rows_once_there(already + 2).await;
        assert_eq!(rows[0]["refusal"]["error"], error);
        assert_eq!(rows[0]["refusal"]["problem"], Value::Null);
    }
    // Whoever lacks the secret leaves nothing, whatever is pushed after.
    device.send("", "sxi_wrong", JSON, text()).await.expect(401);
    app.pause(&device.id).await.expect(200);
    device.send("", "sxi_wrong", JSON, text()).await.expect(401);
    let answer = device.push(&json!([])).await.expect(401);
    assert_eq!(answer, json!({ "error": "unauthorized" }));
    let rows = device.rows_once_there(6).await;
    assert_eq!(rows[0]["refusal"]["error"], "unauthorized");
    let message = rows[0]["refusal"]["message"].as_str().unwrap();
    assert!(message.contains("paused"), "{message}");
    app.resume(&device.id).await.expect(200);
    device.push(&json!([])).await.expect(200);
    assert_eq!(device.rows().await.len(), 7);
}

#[actix_web::test]
async fn pages_follow_one_another_and_only_the_newest_stay() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "home.entities").await;
    let other = Device::of(&app, "home.entities").await;
    other.push(&json!([entity("a", "on")])).await.expect(200);
    for number in 0..KEPT + 3 {
        let records: Vec<Value> = (0..number % 7)
            .map(|id| entity(&id.to_string(), "on"))
            .collect();
        device.push(&json!(records)).await.expect(200);
    }
    let all = device.rows().await;
    assert_eq!(all.len(), KEPT);
    let sizes: Vec<u64> = all.iter().map(|row| counts(row)[0]).collect();
    let expected: Vec<u64> = (3..KEPT as u64 + 3)
        .rev()
        .map(|number| number % 7)
        .collect();
    assert_eq!(sizes, expected);
    assert_eq!(
        device.pushes("").await["rows"].as_array().unwrap().len(),
        30
    );
    let (mut paged, mut query) = (Vec::new(), "?limit=40".to_owned());
    let lengths = loop {
        let page = device.pushes(&query).await;
        paged.extend(page["rows"].as_array().unwrap().clone());
        match page["next"].as_str() {
            Some(next) => query = format!("?limit=40&before={next}"),
            None => break paged.len(),
        }
    };
    assert_eq!((lengths, &paged), (KEPT, &all));
    assert_eq!(other.rows().await.len(), 1);
    let path = format!("/api/connections/{}/pushes?limit=101", device.id);
    app.get(&path)
        .await
        .expect_problem(400, "invalid", Some("limit"));
}

#[actix_web::test]
async fn pushes_at_one_time_are_all_noted() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "home.entities").await;
    let bodies: Vec<Value> = (0..12)
        .map(|number| json!([entity(&number.to_string(), "on")]))
        .collect();
    for answer in join_all(bodies.iter().map(|body| device.push(body))).await {
        answer.expect(200);
    }
    let rows = device.rows().await;
    assert_eq!(rows.iter().map(|row| counts(row)[1]).sum::<u64>(), 12);
    assert_eq!(rows.len(), 12);
}

#[actix_web::test]
async fn they_go_with_the_connection_whose_they_are() {
    let app = TestApp::start().await;
    let (gone, left) = (
        Device::of(&app, "home.entities").await,
        Device::of(&app, "home.entities").await,
    );
    for device in [&gone, &left] {
        device.push(&json!([entity("a", "on")])).await.expect(200);
    }
    let disconnected = json!({ "rows": "keep" });
    app.disconnect(&gone.id, disconnected).await.expect(200);
    for id in [
        gone.id.as_str(),
        "none",
        "00000000-0000-0000-0000-000000000009",
    ] {
        app.get(&format!("/api/connections/{id}/pushes"))
            .await
            .expect_problem(404, "not_found", None);
    }
    let noted = "SELECT connection_id::text FROM pushes";
    let rows = app.database.rows(noted).await;
    assert_eq!(rows, [json!({ "connection_id": left.id })]);
}

#[actix_web::test]
async fn they_are_found_by_index_among_those_of_many_connections() {
    let app = TestApp::start().await;
    let device = Device::of(&app, "home.entities").await;
    device.push(&json!([])).await.expect(200);
    let client = app.database.connect().await;
    client
        .batch_execute(
            "INSERT INTO connections (id, user_id, provider, label, sector, target_table)
             SELECT gen_random_uuid(), user_id, provider, label, sector, target_table FROM connections, generate_series(1, 500);
             INSERT INTO pushes (user_id, connection_id, inserted, updated, unchanged, deleted, rejected)
             SELECT user_id, id, 0, 0, 0, 0, 0 FROM connections, generate_series(1, 100);
             ANALYZE pushes",
        )
        .await
        .unwrap();
    let list = include_str!("../../../sql/statements/pushes/list.sql");
    let list = list
        .replace("$1", "(SELECT id FROM users LIMIT 1)")
        .replace("$2", &format!("'{}'", device.id))
        .replace("$3", "9223372036854775807")
        .replace("$4", "31");
    let (comment, statement) = list.split_once('\n').unwrap();
    assert!(comment.starts_with("--"));
    let plan = client
        .query(&format!("EXPLAIN {statement}"), &[])
        .await
        .unwrap();
    let plan: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
    let plan = plan.join("\n");
    assert!(plan.contains("pushes_pkey"), "{plan}");
    assert!(!plan.contains("Seq Scan on pushes"), "{plan}");
    assert_eq!(device.rows().await.len(), 100);
}
