//! View as agent: `POST /api/agents/<name>/preview` shows what the agent gets, and leaves no audit row.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sextant_actors::clock::FrozenClock;

use crate::mcp::support::{Client, json_of};
use crate::support::answers::{GRANTED, a_message, calls, household, without_times};
use crate::support::app::{Answer, settings};
use crate::support::{TestApp, TestDatabase};

async fn preview(app: &TestApp, agent: &str, tool: &str, arguments: &Value) -> Answer {
    let asked = json!({ "tool": tool, "arguments": arguments });
    app.post(&format!("/api/agents/{agent}/preview"), asked)
        .await
}

#[actix_web::test]
async fn r109_r041_a_preview_is_what_the_agent_gets_and_leaves_neither_row_nor_session() {
    let (app, before) = household().await;
    let mut all = calls(&a_message(&app).await);
    all.push(("list_actions", json!({})));
    all.push(("list_actions", json!({ "target": "calendar" })));
    all.push(("list_actions", json!({ "target": "home" })));
    let key = app.key_of("claude", &GRANTED).await;
    let mut shown = Vec::new();
    for (tool, arguments) in &all {
        shown.push(preview(&app, "claude", tool, arguments).await);
    }
    assert_eq!(app.sessions("").await, json!([]), "a session was opened");

    let agent = Client::new(&format!("http://{}/mcp", app.agents), Some(key));
    for ((tool, arguments), shown) in all.iter().zip(shown) {
        let (_, told) = json_of(agent.modern_call(tool, arguments.clone())).await;
        let text = told["result"]["content"][0]["text"].as_str().unwrap();
        let case = format!("{tool} {arguments}: {text}");
        if told["result"]["isError"] == false {
            assert_eq!(shown.status, 200, "{case}");
            assert_eq!(without_times(&shown.text), without_times(text), "{case}");
        } else {
            let status = if text.starts_with("access denied: ") {
                403
            } else {
                400
            };
            assert_eq!(shown.expect(status)["message"], text, "{case}");
        }
    }
    let rows = app.audit_rows(before + all.len()).await;
    assert_eq!(rows.len(), before + all.len(), "a preview left a row");
    assert!(rows[before..].iter().all(|row| row["agent_id"] == "claude"));
}

#[actix_web::test]
async fn a_cursor_of_a_preview_goes_on_as_the_agents_own() {
    let (app, _) = household().await;
    app.key_of("claude", &["finance"]).await;
    let mut asked = json!({ "target": "finance.transactions", "limit": 5 });
    let first = preview(&app, "claude", "query", &asked).await.expect(200);
    asked["cursor"] = first["next_cursor"].clone();
    let second = preview(&app, "claude", "query", &asked).await.expect(200);
    assert_eq!(second["returned"], 5);
    assert_ne!(first["rows"], second["rows"]);
}

#[actix_web::test]
async fn r109_what_acts_has_no_preview_and_a_refused_key_sees_nothing() {
    let now: DateTime<Utc> = "2026-03-17T12:00:00Z".parse().unwrap();
    let clock = FrozenClock::at(now);
    let database = TestDatabase::create().await;
    let app = TestApp::start_on(database, settings(), Arc::new(clock.clone())).await;
    let claude = json!({ "name": "claude", "sectors": ["*"], "expiresInDays": 1 });
    app.create_agent(claude).await.expect(201);
    for tool in ["fetch_live", "invoke_action", "drop_tables", ""] {
        let answer = preview(&app, "claude", tool, &json!({ "target": "home" })).await;
        answer.expect_problem(400, "invalid", Some("tool"));
    }
    let path = "/api/agents/claude/preview";
    for (body, field) in [
        (json!({}), Some("tool")),
        (json!({ "tool": 7 }), Some("tool")),
        (json!({ "tool": "query", "agent": "x" }), Some("agent")),
        (json!({ "tool": "query", "arguments": [1] }), None),
    ] {
        app.post(path, body)
            .await
            .expect_problem(400, "invalid", field);
    }
    preview(&app, "nobody", "query", &json!({}))
        .await
        .expect_problem(404, "not_found", None);

    clock.advance(TimeDelta::days(1));
    let late = preview(&app, "claude", "describe_context", &json!({})).await;
    assert_eq!(late.expect(403)["message"], "the key is refused: expired");
    app.revoke_agent("claude").await.expect(200);
    let gone = preview(&app, "claude", "describe_context", &json!({})).await;
    assert_eq!(gone.expect(403)["message"], "the key is refused: revoked");

    // Rows keep their order: a row of any earlier request would come before this one.
    let fetched = app.post("/api/operator/fetch_live", json!({ "target": "home" }));
    fetched.await.expect(409);
    assert_eq!(app.audit_rows(1).await.len(), 1);
}
