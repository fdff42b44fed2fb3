//! What a grant allows and what it withholds, over the real ports.

use reqwest::Method;
use serde_json::{Value, json};
use sextant_actors::domain::Sector;

use super::agent;
use crate::mcp::support::json_of;
use crate::support::TestApp;

/// The tools that name a sector, with this one.
fn aimed(sector: &str) -> [(&'static str, Value); 6] {
    let target = format!("{sector}.anything");
    [
        ("get_schema", json!({ "target": sector })),
        ("query", json!({ "target": target })),
        (
            "get_record",
            json!({ "target": target, "id": "6f1c1b8e-0c0e-5f6e-9a59-0d2d6a1f3c11" }),
        ),
        ("fetch_live", json!({ "target": sector })),
        ("list_actions", json!({ "target": sector })),
        (
            "invoke_action",
            json!({ "action": format!("{sector}.light.turn_on"), "params": {} }),
        ),
    ]
}

#[actix_web::test]
async fn r064_an_empty_grant_is_denied_by_every_tool_in_every_sector() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &[]).await;
    let session = client.session().await;
    let mut expected = Vec::new();
    for sector in Sector::ALL {
        for (tool, arguments) in aimed(sector.name()) {
            let words = format!("access denied: {sector}");
            for call in [
                client.modern_call(tool, arguments.clone()),
                client.session_call(&session, tool, arguments),
            ] {
                let (_, answer) = json_of(call).await;
                assert_eq!(
                    answer["result"]["content"][0]["text"], words,
                    "{tool}: {answer}"
                );
                assert_eq!(answer["result"]["isError"], true, "{tool}");
                expected.push(json!([tool, sector, "deny", words, null, null]));
            }
        }
    }
    let context = super::answer(&client, "describe_context", json!({})).await;
    assert_eq!(context["sectors"], json!([]));
    expected.push(json!(["describe_context", null, "allow", null, "ok", 0]));
    let rows = app.audit_rows(expected.len()).await;
    let told: Vec<_> = rows
        .iter()
        .map(|row| {
            json!([
                row["tool"],
                row["sector"],
                row["decision"],
                row["deny_reason"],
                row["outcome"],
                row["result_count"]
            ])
        })
        .collect();
    assert_eq!(told, expected);
}

#[actix_web::test]
async fn r065_r066_a_denial_needs_no_database() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["home"]).await;
    let session = client.session().await;
    app.lose_database().await;
    for (target, word) in [
        ("mail", "mail"),
        ("finances", "finances"),
        ("Home", "?"),
        ("home_", "home_"),
    ] {
        for (tool, arguments) in aimed(target) {
            let (_, answer) = json_of(client.session_call(&session, tool, arguments)).await;
            let words = format!("access denied: {word}");
            assert_eq!(
                answer["result"]["content"][0]["text"], words,
                "{tool}: {answer}"
            );
        }
    }
    let granted = client.session_call(&session, "query", json!({ "target": "home.entities" }));
    let (_, answer) = json_of(granted).await;
    let said = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        said.starts_with("the database cannot be reached"),
        "what is granted is asked of it: {said}"
    );
}

#[actix_web::test]
async fn r075_no_route_of_a_grant_takes_anything_narrower_than_a_sector() {
    let app = TestApp::start().await;
    app.key_of("claude", &["mail"]).await;
    let before = app.agent("claude").await.expect(200);
    for field in [
        "connections",
        "connectionId",
        "sources",
        "tables",
        "objects",
        "fields",
        "rows",
        "filter",
        "readOnly",
        "actions",
        "approval",
        "confirm",
        "rateLimit",
        "budget",
        "hours",
        "from",
        "expiresInDaysBySector",
        "sectorDeadlines",
    ] {
        for (method, path) in [
            (Method::POST, "/api/agents"),
            (Method::PATCH, "/api/agents/claude"),
            (Method::POST, "/api/agents/claude/rotate"),
            (Method::POST, "/api/agents/claude/revoke"),
            (Method::DELETE, "/api/agents/claude"),
        ] {
            let mut body = json!({ field: 1 });
            if path == "/api/agents" || method == Method::PATCH {
                body["sectors"] = json!(["home"]);
            }
            if path == "/api/agents" {
                body["name"] = json!("claude");
            }
            let refused = app.send(app.request(method, path).json(&body)).await;
            refused.expect_problem(400, "invalid", Some(field));
        }
    }
    for sectors in [
        json!([{ "name": "mail" }]),
        json!({ "mail": true }),
        json!([["mail"]]),
    ] {
        let body = json!({ "name": "claude", "sectors": sectors });
        app.create_agent(body.clone())
            .await
            .expect_problem(400, "invalid", Some("sectors"));
        let amended = app
            .amend_agent("claude", json!({ "sectors": body["sectors"] }))
            .await;
        amended.expect_problem(400, "invalid", Some("sectors"));
    }
    assert_eq!(
        app.agent("claude").await.expect(200),
        before,
        "nothing was changed"
    );
}
