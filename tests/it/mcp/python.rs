//! The official Python client (`mcp` 2.3.0), in each of its modes.

use serde_json::{Value, json};

use super::support::{Client, Port};
use crate::support::python::{PythonClient, installed};

/// One visit: what the client learnt when it connected, with its calls' answers beside it.
async fn visit(agent: &Client, mode: &str, calls: Value) -> Value {
    let key = agent.key.as_deref().unwrap_or_default();
    let mut client = PythonClient::connect(&agent.url, key, mode).await;
    let mut answers = Vec::new();
    for call in calls.as_array().unwrap() {
        answers.push(client.call(call[0].as_str().unwrap(), &call[1]).await);
    }
    client.greeting["calls"] = json!(answers);
    client.greeting
}

async fn serves(test: &str, mode: &str, version: &str) {
    if !installed(test) {
        return;
    }
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance", "home"]).await;
    let query = json!({ "target": "finance.transactions", "limit": 2, "where": { "amount": { "lt": -0.10 } } });
    let calls = json!([
        ["describe_context", {}],
        ["query", query],
        ["query", { "target": "mail.messages" }],
        ["drop_tables", {}],
    ]);
    let seen = visit(&agent, mode, calls).await;
    assert_eq!(seen["version"], version, "{seen}");
    introduces_itself(&seen, mode);
    assert_eq!(seen["tools"].as_array().unwrap().len(), 7);
    assert!(
        seen["titles"]
            .as_array()
            .unwrap()
            .iter()
            .all(Value::is_string)
    );
    let context = json!({ "error": false, "text": [r#"{"sectors":["finance","home"]}"#], "structured": null });
    assert_eq!(seen["calls"][0], context);
    let echoed = seen["calls"][1]["text"][0].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(echoed).unwrap(), query);
    let denied = json!({ "error": true, "text": ["access denied: mail"], "structured": null });
    assert_eq!(seen["calls"][2], denied);
    assert_eq!(seen["calls"][3]["code"], -32602);
    assert_eq!(port.audit.wait_for(4).await.len(), 4);
    port.stop().await;
}

/// A pinned client skips the discovery that would tell it who it speaks with.
fn introduces_itself(seen: &Value, mode: &str) {
    if mode.starts_with("20") {
        return assert_eq!(seen["server"], Value::Null);
    }
    assert_eq!(seen["server"], "sextant");
    assert!(
        seen["instructions"]
            .as_str()
            .unwrap()
            .contains("describe_context")
    );
}

#[actix_web::test]
async fn python_client_in_mode_auto_speaks_2026_07_28() {
    serves("python_client_in_mode_auto", "auto", "2026-07-28").await;
}

#[actix_web::test]
async fn python_client_in_mode_legacy_speaks_2025_11_25() {
    serves("python_client_in_mode_legacy", "legacy", "2025-11-25").await;
}

#[actix_web::test]
async fn python_client_pinned_to_2026_07_28_speaks_it() {
    serves("python_client_pinned", "2026-07-28", "2026-07-28").await;
}

#[actix_web::test]
async fn python_client_with_a_refused_key_gets_no_session() {
    if !installed("python_client_with_a_refused_key") {
        return;
    }
    let port = Port::start().await;
    let intruder = Client::new(&port.url, Some("sxt_unknown".to_owned()));
    for mode in ["auto", "legacy"] {
        let seen = visit(&intruder, mode, json!([])).await;
        assert!(seen["refused"].is_string(), "{mode}: {seen}");
    }
    let rows = port.audit.wait_for(2).await;
    assert!(rows.iter().all(|row| row.tool == "initialize"));
    port.stop().await;
}
