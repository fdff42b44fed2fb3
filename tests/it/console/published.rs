//! Every route that writes connections publishes what it wrote before it answers, and so does a push.

use reqwest::Method;
use serde_json::json;
use sextant::store::connections::ConnectionTable;
use sextant_actors::domain::KnownConnection;
use sextant_actors::ports::ConnectionStore as _;

use crate::import::{export, import};
use crate::support::TestApp;

/// What a snapshot holds of its connections.
fn seen<'a>(connections: impl IntoIterator<Item = &'a KnownConnection>) -> Vec<String> {
    connections
        .into_iter()
        .map(|connection| format!("{connection:?}"))
        .collect()
}

/// Asserts that what is published is what is stored.
async fn assert_published(app: &TestApp, act: &str) {
    let snapshot = app.tree.connections.snapshot();
    let stored = ConnectionTable::new(app.pool.clone()).load().await.unwrap();
    assert!(snapshot.is_current(), "{act}");
    assert_eq!(seen(snapshot.values()), seen(&stored), "{act}");
}

async fn push(app: &TestApp, (id, secret): &(String, String)) {
    let person = json!([{ "id": "p1", "full_name": "Ada" }]);
    let request = app
        .request(Method::POST, &format!("/api/ingest/{id}"))
        .bearer_auth(secret)
        .json(&person);
    app.send(request).await.expect(200);
}

#[actix_web::test]
async fn every_writer_of_connections_publishes_before_it_answers() {
    let app = TestApp::start().await;
    let device = app.push_connection("contacts.people").await;
    assert_published(&app, "create").await;
    push(&app, &device).await;
    assert_published(&app, "push").await;
    let success = app.published(&device.0).unwrap().last_success_at;
    assert!(success.is_some());
    let id = &device.0;
    let acts = [
        (
            "pause",
            Method::POST,
            format!("/api/connections/{id}/pause"),
            None,
        ),
        (
            "resume",
            Method::POST,
            format!("/api/connections/{id}/resume"),
            None,
        ),
        (
            "rotate",
            Method::POST,
            format!("/api/connections/{id}/rotate-secret"),
            None,
        ),
        (
            "erase",
            Method::POST,
            "/api/erase".to_owned(),
            Some(json!({ "scope": "all" })),
        ),
        (
            "load the sample",
            Method::POST,
            "/api/sample".to_owned(),
            Some(json!({})),
        ),
        (
            "disconnect",
            Method::POST,
            format!("/api/connections/{id}/disconnect"),
            Some(json!({ "rows": "delete" })),
        ),
        (
            "remove the sample",
            Method::DELETE,
            "/api/sample".to_owned(),
            None,
        ),
    ];
    for (act, method, path, body) in acts {
        let mut request = app.request(method, &path);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = app.send(request).await;
        assert!(answer.status.is_success(), "{act}: {answer:?}");
        assert_published(&app, act).await;
    }
}

#[actix_web::test]
async fn an_import_publishes_before_it_answers() {
    let old = TestApp::start().await;
    let device = old.push_connection("contacts.people").await;
    push(&old, &device).await;
    let bundle = export(&old).await;
    let app = TestApp::start().await;
    import(&app, bundle).await.expect(200);
    assert_published(&app, "import").await;
    assert!(app.published(&device.0).unwrap().last_success_at.is_some());
}
