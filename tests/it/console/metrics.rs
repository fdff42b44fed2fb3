//! `/metrics`, as parsed by the Prometheus project's own client for Python.

use std::process::Stdio;

use reqwest::Method;
use serde_json::{Value, json};
use sextant::db::PoolLimits;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::mcp::support::{Client, body_of, json_of};
use crate::support::TestApp;
use crate::support::app::settings;
use crate::support::cluster::shared;
use crate::support::eventually::eventually;
use crate::support::postgres_proxy::PostgresProxy;
use crate::support::python;

const SCRIPT: &str = "tests/peers/metrics.py";

async fn read(app: &TestApp) -> Value {
    let answer = app.get("/metrics").await;
    let media = answer.headers["content-type"].to_str().unwrap();
    assert_eq!(
        (answer.status.as_u16(), media),
        (200, "text/plain; version=0.0.4; charset=utf-8")
    );
    let mut parser = Command::new(python::interpreter())
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/").to_owned() + SCRIPT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut input = parser.stdin.take().unwrap();
    input.write_all(answer.text.as_bytes()).await.unwrap();
    drop(input);
    let output = parser.wait_with_output().await.unwrap();
    assert!(output.status.success(), "{}", answer.text);
    let families: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (name, family) in families.as_object().unwrap() {
        assert_ne!(family["kind"], "unknown", "{name}");
        assert_ne!(family["about"], "", "{name}");
    }
    families
}

/// The value of a sample, by its name and labels.
fn value(families: &Value, family: &str, name: &str, labels: Value) -> Option<f64> {
    let samples = families[family]["samples"].as_array()?;
    let sample = samples
        .iter()
        .find(|sample| sample[0] == name && sample[1] == labels)?;
    sample[2].as_f64()
}

fn plain(families: &Value, name: &str) -> Option<f64> {
    value(families, name, name, json!({}))
}

#[actix_web::test]
async fn metrics_tell_calls_record_sessions_actors_pools_and_ages() {
    let name = "metrics_tell_calls_record_sessions_actors_pools_and_ages";
    if !python::installed(name) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings();
    settings.journal = Some(folder.path().join("journal"));
    let app = TestApp::start_with(settings).await;
    let (connection, secret) = app.push_connection("mail.messages").await;
    let push = app.request(Method::POST, &format!("/api/ingest/{connection}"));
    app.send(
        push.bearer_auth(&secret)
            .json(&json!([{ "id": "1", "subject": "x" }])),
    )
    .await
    .expect(200);
    let url = format!("http://{}/mcp", app.agents);
    let agent = Client::new(&url, Some(app.key_of("laptop", &["mail"]).await));
    let session = agent.session().await;
    for target in ["mail.messages", "mail.messages", "finance.transactions"] {
        json_of(agent.session_call(&session, "query", json!({ "target": target }))).await;
    }
    json_of(agent.session_call(&session, "surprise\"\n", json!({}))).await;
    let stranger = Client::new(&url, Some("sxt_wrong".to_owned()));
    assert_eq!(body_of(stranger.initialize("2025-11-25")).await.0, 401);
    app.audit_rows(6).await;

    let told = read(&app).await;
    let calls = |tool: &str, decision: &str, outcome: &str| {
        let labels = json!({ "tool": tool, "decision": decision, "outcome": outcome });
        value(&told, "sextant_calls", "sextant_calls_total", labels)
    };
    assert_eq!(calls("query", "allow", "ok"), Some(2.0));
    assert_eq!(calls("query", "deny", ""), Some(1.0));
    assert_eq!(
        calls("tools/call", "allow", "error"),
        Some(1.0),
        "an unknown tool's name is no label"
    );
    assert_eq!(calls("initialize", "deny", ""), Some(1.0));
    assert_eq!(calls("ingest", "allow", "ok"), Some(1.0));
    let spans = "sextant_call_duration_seconds";
    assert_eq!(
        value(&told, spans, &format!("{spans}_count"), json!({})),
        Some(5.0),
        "all but the handshake"
    );
    assert_eq!(
        value(
            &told,
            spans,
            &format!("{spans}_bucket"),
            json!({ "le": "+Inf" })
        ),
        Some(5.0)
    );
    assert_eq!(
        value(
            &told,
            "sextant_audit_written",
            "sextant_audit_written_total",
            json!({})
        ),
        Some(6.0)
    );
    assert_eq!(
        value(
            &told,
            "sextant_audit_dropped",
            "sextant_audit_dropped_total",
            json!({})
        ),
        Some(0.0)
    );
    assert_eq!(plain(&told, "sextant_audit_waiting_rows"), Some(0.0));
    let journaled = ["journaled", "unjournaled"].map(|word| {
        let family = format!("sextant_audit_{word}");
        value(&told, &family, &format!("{family}_total"), json!({})).unwrap()
    });
    assert!(journaled[0] == 6.0 && journaled[1] >= 0.0, "{journaled:?}");
    let states = ["ok", "failing", "absent"].map(|state| {
        value(
            &told,
            "sextant_audit_journal_state",
            "sextant_audit_journal_state",
            json!({ "state": state }),
        )
    });
    assert_eq!(states, [Some(1.0), Some(0.0), Some(0.0)]);
    assert!(plain(&told, "sextant_audit_journal_bytes") > Some(0.0));
    let flushes = "sextant_audit_flush_duration_seconds";
    assert!(value(&told, flushes, &format!("{flushes}_count"), json!({})) > Some(0.0));
    let sessions = |era: &str| {
        value(
            &told,
            "sextant_sessions",
            "sextant_sessions",
            json!({ "era": era }),
        )
    };
    assert_eq!(
        ["legacy", "modern", "mirror"].map(sessions),
        [Some(1.0), Some(0.0), Some(0.0)]
    );
    let restarts = |kind: &str| {
        value(
            &told,
            "sextant_actor_restarts",
            "sextant_actor_restarts_total",
            json!({ "kind": kind }),
        )
    };
    assert_eq!(["audit", "session registry"].map(restarts), [Some(0.0); 2]);
    let limits = PoolLimits::default();
    for (pool, connections_max) in [
        ("service", limits.service_connections_max),
        ("reader_cheap", limits.cheap_connections_max),
        ("reader_other", limits.other_connections_max),
        ("reader_operator", limits.operator_connections_max),
    ] {
        let told = value(
            &told,
            "sextant_pool_max",
            "sextant_pool_max",
            json!({ "pool": pool }),
        );
        assert_eq!(told, Some(connections_max as f64), "{pool}");
    }
    let age = json!({ "connection": connection, "sector": "mail" });
    assert!(
        value(
            &told,
            "sextant_sync_age_seconds",
            "sextant_sync_age_seconds",
            age
        ) >= Some(0.0)
    );
    assert_eq!(plain(&told, "sextant_database_up"), Some(1.0));
    assert!(plain(&told, "process_start_time_seconds") > Some(1.7e9));
    let version = json!({ "version": env!("CARGO_PKG_VERSION") });
    assert_eq!(
        value(&told, "sextant_build_info", "sextant_build_info", version),
        Some(1.0)
    );
}

#[actix_web::test]
async fn metrics_tell_the_rows_that_wait_while_the_database_is_away() {
    let name = "metrics_tell_the_rows_that_wait_while_the_database_is_away";
    if !python::installed(name) {
        return;
    }
    let way = PostgresProxy::before(&shared().socket_dir).await;
    let app = TestApp::start_over(&way, settings()).await;
    let url = format!("http://{}/mcp", app.agents);
    let nobody = Client::new(&url, Some(app.key_of("nobody", &[]).await));
    way.cut();
    for _ in 0..3 {
        json_of(nobody.modern_call("list_actions", json!({}))).await;
    }
    let told = read(&app).await;
    assert_eq!(plain(&told, "sextant_database_up"), Some(0.0));
    assert_eq!(plain(&told, "sextant_audit_waiting_rows"), Some(3.0));
    assert!(plain(&told, "sextant_audit_waiting_bytes") > Some(0.0));
    way.mend();
    eventually("none waits", async || {
        plain(&read(&app).await, "sextant_audit_waiting_rows") == Some(0.0)
    })
    .await;
}

#[actix_web::test]
async fn r100_metrics_are_told_to_accepted_hosts_only() {
    let app = TestApp::start().await;
    let elsewhere = app
        .request(Method::GET, "/metrics")
        .header("host", "evil.example");
    app.send(elsewhere)
        .await
        .expect_problem(403, "forbidden_host", None);
}
