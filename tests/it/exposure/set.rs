//! The public address: set, moved and cleared by the operator, with a row each (r039); kept over restarts.

use reqwest::Method;
use serde_json::{Value, json};
use sextant::app::Settings;
use sextant::host::Host;
use sextant::http::host_check::AllowedHosts;
use sextant_actors::sessions::CloseReason;

use super::{PUBLIC, by_host, call, clear, publish, status_of};
use crate::support::TestApp;
use crate::support::app::settings;

async fn exposure(app: &TestApp) -> Value {
    app.get("/api/exposure").await.expect(200)
}

fn try_to_publish(app: &TestApp, url: &str) -> reqwest::RequestBuilder {
    let body = json!({ "publicUrl": url });
    app.request(Method::PUT, "/api/exposure").json(&body)
}

#[actix_web::test]
async fn r039_setting_and_clearing_the_address_leave_a_row_each_and_it_is_told() {
    let app = TestApp::start().await;
    let nothing = json!({
        "mode": "local", "publicUrl": null, "agentUrl": null,
        "bridge": { "on": false, "authorizeUrl": null }, "check": null,
        "allowedHosts": [], "trustedProxies": false, "signIns": [],
    });
    let told = exposure(&app).await;
    for (field, value) in nothing.as_object().unwrap() {
        assert_eq!(told[field], *value, "{field}");
    }
    let published = publish(&app, " https://Box.Example:443/ ").await;
    assert_eq!(published, exposure(&app).await);
    assert_eq!(published["mode"], "public");
    assert_eq!(published["publicUrl"], PUBLIC);
    assert_eq!(published["agentUrl"], "https://box.example/mcp");
    assert_eq!(
        published["bridge"],
        json!({ "on": true, "authorizeUrl": "https://box.example/authorize" })
    );
    let status = app.get("/api/status").await.expect(200);
    assert_eq!(
        status["exposure"],
        json!({ "mode": "public", "url": PUBLIC, "check": null, "allowedHosts": [] })
    );
    clear(&app).await;
    assert_eq!(exposure(&app).await["mode"], "local");
    let rows = app.audit_rows(2).await;
    let told: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                &row["tool"],
                &row["args"],
                &row["outcome"],
                &row["agent_id"],
            )
        })
        .collect();
    let (ok, operator) = (json!("ok"), json!("operator"));
    let (set, cleared) = (json!("set_exposure"), json!("clear_exposure"));
    let args = json!({ "publicUrl": PUBLIC });
    assert_eq!(
        told,
        [
            (&set, &args, &ok, &operator),
            (&cleared, &Value::Null, &ok, &operator)
        ]
    );
}

#[actix_web::test]
async fn an_address_that_nobody_elsewhere_could_use_is_refused_and_leaves_no_row() {
    let app = TestApp::start().await;
    for url in [
        "",
        "box.example",
        "http://box.example",
        "https://localhost",
        "https://127.0.0.1:8788",
        "https://box.example/agents",
        "https://user:word@box.example",
        "https://box.example?x=1",
    ] {
        let answer = app.send(try_to_publish(&app, url)).await;
        answer.expect_problem(400, "invalid", Some("publicUrl"));
    }
    let missing = app.request(Method::PUT, "/api/exposure").json(&json!({}));
    let missing = app.send(missing).await;
    missing.expect_problem(400, "invalid", Some("publicUrl"));
    assert_eq!(exposure(&app).await["mode"], "local");
    assert!(app.audit_rows(0).await.is_empty());
}

/// Settings under which the Console answers to `box.example` too.
fn with_console_name() -> Settings {
    Settings {
        allowed_hosts: AllowedHosts::new(vec![Host::parse("box.example").unwrap()]),
        ..settings()
    }
}

#[actix_web::test]
async fn r501_a_name_of_the_console_is_never_published() {
    let app = TestApp::start_with(with_console_name()).await;
    let refused = app.send(try_to_publish(&app, PUBLIC)).await;
    refused.expect_problem(409, "conflict", None);
    assert_eq!(exposure(&app).await["mode"], "local");
    assert_eq!(exposure(&app).await["allowedHosts"], json!(["box.example"]));
    assert!(app.audit_rows(0).await.is_empty());
    publish(&app, "https://agents.example").await;
}

#[actix_web::test]
async fn r501_a_name_that_is_given_to_the_console_later_needs_the_operator() {
    let app = TestApp::start().await;
    publish(&app, PUBLIC).await;
    let kinds = async |app: &TestApp| {
        let status = app.get("/api/status").await.expect(200);
        let all = status["attention"].as_array().unwrap().clone();
        all.iter()
            .map(|one| one["kind"].clone())
            .collect::<Vec<_>>()
    };
    let is_raised = |kinds: Vec<Value>| kinds.contains(&json!("console_published"));
    assert!(!is_raised(kinds(&app).await));
    let app = app.restart_with(with_console_name()).await;
    assert!(is_raised(kinds(&app).await));
    clear(&app).await;
    assert!(!is_raised(kinds(&app).await));
}

#[actix_web::test]
async fn the_address_is_kept_over_a_restart() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["mail"]).await;
    publish(&app, "https://box.example/mcp").await;
    let app = app.restart().await;
    assert_eq!(exposure(&app).await["publicUrl"], "https://box.example/mcp");
    assert_eq!(status_of(call(&app, "box.example", &key)).await, 200);
    clear(&app).await;
    let app = app.restart().await;
    assert_eq!(exposure(&app).await["mode"], "local");
    assert_eq!(status_of(call(&app, "box.example", &key)).await, 403);
}

#[actix_web::test]
async fn whoever_came_by_a_name_that_is_gone_is_cut_off_at_once() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["mail"]).await;
    publish(&app, PUBLIC).await;
    let lease = app.open_session(&key, "hosted").await;
    publish(&app, "https://box.example/mcp").await;
    assert_eq!(
        lease.gate().state(),
        None,
        "the same place, written otherwise"
    );
    publish(&app, "https://other.example").await;
    assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
    let lease = app.open_session(&key, "hosted").await;
    let cleared = clear(&app).await;
    assert_eq!(cleared, json!({ "signInsEnded": 0, "sessionsEnded": 1 }));
    assert_eq!(lease.gate().state(), Some(CloseReason::GrantChanged));
}

#[actix_web::test]
async fn r033_a_probe_without_a_key_leaves_a_row_only_while_there_is_a_public_address() {
    let app = TestApp::start().await;
    let probe = async |app: &TestApp, host: &str| {
        let request = by_host(app, Method::POST, host, "/mcp").body("{}");
        assert_eq!(status_of(request).await, 401);
    };
    probe(&app, "localhost").await;
    publish(&app, PUBLIC).await;
    probe(&app, "box.example").await;
    clear(&app).await;
    probe(&app, "localhost").await;
    let rows = app.audit_rows(3).await;
    let denied: Vec<&Value> = rows
        .iter()
        .filter(|row| row["tool"] == "initialize")
        .collect();
    let [row] = denied[..] else {
        panic!("{rows:?}")
    };
    assert_eq!(row["deny_reason"], "unknown agent");
    assert_eq!(row["agent_id"], Value::Null);
}

#[actix_web::test]
async fn the_snippets_of_hosted_agents_have_the_public_address_once_there_is_one() {
    let app = TestApp::start().await;
    app.key_of("claude", &["mail"]).await;
    let hosted = async |app: &TestApp| {
        let told = app.get("/api/agents/claude/snippets").await.expect(200);
        let all = told["snippets"].as_array().unwrap().clone();
        let hosted = all
            .into_iter()
            .filter(|snippet| snippet["needsPublicUrl"] == true);
        hosted
            .map(|snippet| snippet["text"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let before = hosted(&app).await;
    assert!(before.len() == 2 && before.iter().all(|text| text.contains("<PUBLIC_URL>")));
    publish(&app, PUBLIC).await;
    let after = hosted(&app).await;
    assert!(
        after
            .iter()
            .all(|text| text.contains("https://box.example/mcp")),
        "{after:?}"
    );
}
