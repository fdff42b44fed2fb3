//! The official Python client (`mcp` 2.3.0), in each of its modes.

use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::process::Command;

use super::support::{Client, Port, soon};

/// Where `tests/peers/install.sh` puts the client.
const PYTHON: &str = "target/peers/mcp-2.3.0/bin/python";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[expect(
    clippy::disallowed_methods,
    reason = "no configuration of the service, but of the test run"
)]
fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// Whether the client is there; it may be missing on a developer's machine, and never in CI.
fn installed(test: &str) -> bool {
    let there = root().join(PYTHON).exists();
    if !there {
        let why = "the Python client is missing; run tests/peers/install.sh";
        assert!(!in_ci(), "{why}");
        println!("SKIPPED {test}: {why}");
    }
    there
}

async fn visit(agent: &Client, mode: &str, calls: Value) -> Value {
    let client = Command::new(root().join(PYTHON))
        .arg(root().join("tests/peers/mcp_client.py"))
        .args([&agent.url, mode, &calls.to_string()])
        .env("MCP_KEY", agent.key.as_deref().unwrap_or_default())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = soon("the Python client", client).await.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"))
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
