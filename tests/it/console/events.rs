//! `GET /api/events`, read as a browser reads it.

use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::eventually::eventually;

/// For one event.
const PATIENCE: Duration = Duration::from_secs(30);

/// A reader of the stream.
struct Reader {
    response: Response,
    /// What came and is no whole frame yet.
    rest: String,
}

impl Reader {
    async fn open(app: &TestApp) -> Self {
        let response = app
            .request(Method::GET, "/api/events")
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        let mut reader = Self {
            response,
            rest: String::new(),
        };
        assert!(reader.frame().await.unwrap().starts_with(": open\n"));
        reader
    }

    /// The next frame; `None` at the end.
    async fn frame(&mut self) -> Option<String> {
        loop {
            if let Some((frame, rest)) = self.rest.split_once("\n\n") {
                let (frame, rest) = (frame.to_owned(), rest.to_owned());
                self.rest = rest;
                return Some(frame);
            }
            let piece = tokio::time::timeout(PATIENCE, self.response.chunk()).await;
            let piece = piece.unwrap().unwrap()?;
            self.rest.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// The data of the next event of this name; others are passed over.
    async fn event(&mut self, name: &str) -> Value {
        loop {
            let frame = self.frame().await.unwrap();
            let (head, data) = frame.split_once("\ndata: ").unwrap();
            if head == format!("event: {name}") {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}

#[actix_web::test]
async fn each_change_is_told_and_nothing_of_the_data() {
    let app = TestApp::start().await;
    let mut reader = Reader::open(&app).await;
    let key = app.key_of("laptop", &["contacts"]).await;
    assert_eq!(reader.event("agent").await, json!({ "name": "laptop" }));
    let (id, secret) = app.push_connection("contacts.people").await;
    assert_eq!(reader.event("connection").await, json!({ "id": id }));
    let push = app
        .request(Method::POST, &format!("/api/ingest/{id}"))
        .bearer_auth(&secret)
        .json(&json!([{ "id": "p1", "full_name": "Ada Lovelace" }]));
    app.send(push).await.expect(200);
    assert_eq!(reader.event("connection").await, json!({ "id": id }));
    let told = reader.event("audit").await;
    let newest = app.get("/api/audit?limit=1").await.expect(200)["rows"][0]["id"].clone();
    assert_eq!((&told["count"], &told["lastId"]), (&json!(1), &newest));
    let session = app.open_session(&key, "reader").await;
    let live = json!({ "name": "laptop", "count": 1 });
    assert_eq!(reader.event("agent.sessions").await, live);
    app.amend_agent("laptop", json!({ "sectors": [] }))
        .await
        .expect(200);
    assert_eq!(reader.event("agent").await, json!({ "name": "laptop" }));
    let ended = json!({ "name": "laptop", "count": 0 });
    assert_eq!(reader.event("agent.sessions").await, ended);
    drop(session);
    assert!(!reader.rest.contains("Ada"));
}

#[actix_web::test]
async fn what_needs_the_operator_is_told_when_it_changes() {
    let app = TestApp::start().await;
    let mut reader = Reader::open(&app).await;
    let body = json!({ "name": "laptop", "sectors": ["mail"], "expiresInDays": 3 });
    app.create_agent(body).await.expect(201);
    let status = app.get("/api/status").await.expect(200);
    let count = status["attention"].as_array().unwrap().len();
    assert_eq!(reader.event("attention").await, json!({ "count": count }));
}

#[actix_web::test]
async fn streams_are_bounded_and_end_with_the_service() {
    let app = TestApp::start().await;
    let mut readers = Vec::new();
    for _ in 0..32 {
        readers.push(Reader::open(&app).await);
    }
    app.get("/api/events")
        .await
        .expect_problem(429, "rate_limited", None);
    let mut last = readers.pop().unwrap();
    drop(readers);
    let ended = async { while last.frame().await.is_some() {} };
    tokio::join!(ended, app.stop_in_order());
}

#[actix_web::test]
async fn pages_that_were_left_soon_free_their_streams() {
    let app = TestApp::start().await;
    let mut readers = Vec::new();
    for _ in 0..32 {
        readers.push(Reader::open(&app).await);
    }
    drop(readers);
    let is_open = async || {
        let answer = app.request(Method::GET, "/api/events").send().await;
        answer.unwrap().status() == 200
    };
    eventually("a stream is free", is_open).await;
}
