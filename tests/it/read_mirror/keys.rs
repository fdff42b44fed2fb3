//! Which keys may call, and which routes do not exist.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;
use serde_json::json;
use sextant_actors::clock::FrozenClock;

use super::call;
use crate::support::app::settings;
use crate::support::{TestApp, TestDatabase};

/// The five tools, and whether each may be called by GET.
const TOOLS: [(&str, bool); 5] = [
    ("describe_context", true),
    ("get_schema", true),
    ("query", false),
    ("get_record", false),
    ("fetch_live", false),
];

#[actix_web::test]
async fn r070_a_key_that_is_none_or_refused_leaves_no_row() {
    let now: DateTime<Utc> = "2026-03-17T12:00:00Z".parse().unwrap();
    let clock = FrozenClock::at(now);
    let database = TestDatabase::create().await;
    let app = TestApp::start_on(database, settings(), Arc::new(clock.clone())).await;
    let late = app
        .create_agent(json!({ "name": "late", "sectors": ["mail"], "expiresInDays": 1 }))
        .await;
    let late = late.expect(201)["key"].as_str().unwrap().to_owned();
    let gone = app.key_of("gone", &["mail"]).await;
    app.revoke_agent("gone").await.expect(200);
    let key = app.key_of("claude", &["mail"]).await;
    clock.advance(TimeDelta::days(1));

    for (tool, is_read_by_get) in TOOLS {
        let arguments = json!({ "target": "mail.messages" });
        let path = format!("/api/read/{tool}");
        let mut forms = vec![call(&app, tool, &arguments)];
        if is_read_by_get {
            forms.push(app.request(Method::GET, &path));
        }
        for form in forms {
            let copy = || form.try_clone().unwrap();
            let absent = app.send(copy()).await;
            assert_eq!(absent.headers["www-authenticate"], "Bearer");
            absent.expect_problem(401, "unauthorized", None);
            for malformed in ["sxt_abc", "Bearer", "Basic c3h0", "Bearer a b"] {
                let answer = app.send(copy().header("authorization", malformed)).await;
                answer.expect_problem(401, "unauthorized", None);
            }
            for (refused, why) in [
                ("sxt_unknown", "unknown agent"),
                (&gone, "revoked"),
                (&late, "expired"),
            ] {
                let answer = app.send(copy().bearer_auth(refused)).await.expect(403);
                assert_eq!(answer["error"], "forbidden");
                assert!(answer["message"].as_str().unwrap().ends_with(why));
            }
        }
    }
    // Rows keep their order: a row of any earlier request would come before this one.
    let served = call(&app, "describe_context", &json!({})).bearer_auth(&key);
    app.send(served).await.expect(200);
    let rows = app.audit_rows(1).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["agent_id"], "claude");
    assert_eq!(app.sessions("").await.as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn r108_the_mirror_has_no_actions_and_nothing_but_the_five() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["home"]).await;
    for tool in [
        "list_actions",
        "invoke_action",
        "tools/call",
        "Query",
        "query2",
    ] {
        for method in [Method::GET, Method::POST] {
            let request = app.request(method, &format!("/api/read/{tool}"));
            let answer = app.send(request.bearer_auth(&key)).await;
            answer.expect_problem(404, "not_found", None);
        }
    }
    for (tool, is_read_by_get) in TOOLS {
        let request = app.request(Method::GET, &format!("/api/read/{tool}"));
        let status = app.send(request.bearer_auth(&key)).await.status;
        assert_eq!(status == 404, !is_read_by_get, "{tool}");
    }
    let rows = app.audit_rows(2).await;
    let tools: Vec<_> = rows
        .iter()
        .map(|row| row["tool"].as_str().unwrap())
        .collect();
    assert_eq!(tools, ["describe_context", "get_schema"]);
}

#[actix_web::test]
async fn r100_the_mirror_stands_outside_the_host_check_and_the_json_check() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["home"]).await;
    let from_afar = app
        .request(Method::POST, "/api/read/get_schema")
        .header("host", "evil.test")
        .header("origin", "https://evil.test")
        .header("content-type", "text/plain")
        .bearer_auth(&key)
        .body(r#"{"target":"home"}"#);
    let answer = app.send(from_afar).await;
    assert_eq!(answer.headers["cache-control"], "no-store");
    let schema = answer.expect(200);
    assert_eq!(schema["tables"][0]["target"], "home.entities");
}
