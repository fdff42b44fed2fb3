//! What is refused before a message is read.

use reqwest::Method;
use serde_json::json;
use sextant_actors::domain::Decision;
use sextant_actors::ports::GrantChange;

use super::support::{Client, Port, body_of, json_of};

fn bearer(port: &Port, key: &str) -> Client {
    Client::new(&port.url, Some(key.to_owned()))
}

#[actix_web::test]
async fn r501_a_host_that_is_not_this_computer_is_refused() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    for (host, status) in [
        ("evil.example", 403),
        ("localhost", 200),
        ("[::1]:8788", 200),
    ] {
        let request = agent.modern("tools/list", json!({})).header("host", host);
        assert_eq!(body_of(request).await.0, status, "{host}");
    }
    port.stop().await;
}

#[actix_web::test]
async fn a_page_from_elsewhere_is_refused_and_one_of_this_computer_is_not() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    for (origin, status) in [
        ("https://evil.example", 403),
        ("null", 403),
        ("http://localhost:6274", 200),
        ("https://127.0.0.1", 200),
    ] {
        let request = agent
            .modern("tools/list", json!({}))
            .header("origin", origin);
        assert_eq!(body_of(request).await.0, status, "{origin}");
    }
    port.stop().await;
}

#[actix_web::test]
async fn r068_r033_a_refused_key_is_a_401_in_both_eras_and_a_row_under_initialize() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let stranger = bearer(&port, "sxt_unknown");
    for request in [
        stranger.modern_call("query", json!({})),
        stranger.initialize("2025-11-25"),
        stranger.bare(Method::GET),
        stranger.bare(Method::DELETE),
        stranger.post("{ not json"),
    ] {
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 401);
        assert_eq!(
            answer.headers()["www-authenticate"],
            r#"Bearer error="invalid_token", error_description="unknown agent""#
        );
    }
    port.edit("claude", GrantChange::Revoke).await;
    assert_eq!(body_of(agent.modern("tools/list", json!({}))).await.0, 401);
    let rows = port.audit.wait_for(6).await;
    assert!(
        rows.iter()
            .all(|row| row.tool == "initialize" && row.agent_id.is_none())
    );
    let reasons: Vec<_> = rows.iter().map(|row| row.decision.clone()).collect();
    assert_eq!(reasons[0], Decision::Deny("unknown agent".into()));
    assert_eq!(reasons[5], Decision::Deny("revoked".into()));
    port.stop().await;
}

#[actix_web::test]
async fn r068_an_expired_key_is_refused() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let deadline = sextant_actors::clock::Clock::now(&port.clock) + chrono::Duration::days(1);
    let change = GrantChange::Amend {
        sectors: None,
        expires_at: Some(Some(deadline)),
    };
    port.edit("claude", change).await;
    assert_eq!(body_of(agent.modern("tools/list", json!({}))).await.0, 200);
    port.clock.advance(chrono::Duration::days(1));
    assert_eq!(body_of(agent.modern("tools/list", json!({}))).await.0, 401);
    let rows = port.audit.wait_for(1).await;
    assert_eq!(rows[0].decision, Decision::Deny("expired".into()));
    port.stop().await;
}

#[actix_web::test]
async fn r033_a_probe_without_a_key_leaves_no_row_and_a_malformed_key_does() {
    let port = Port::start().await;
    let nobody = port.stranger();
    let probe = nobody
        .modern("server/discover", json!({}))
        .send()
        .await
        .unwrap();
    assert_eq!(probe.status(), 401);
    assert_eq!(probe.headers()["www-authenticate"], "Bearer");
    let malformed = nobody
        .modern("tools/list", json!({}))
        .header("authorization", "Basic c3h0");
    assert_eq!(body_of(malformed).await.0, 401);
    let rows = port.audit.wait_for(1).await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].decision, Decision::Deny("unknown agent".into()));
    port.stop().await;
}

#[actix_web::test]
async fn a_refused_upload_can_read_its_answer() {
    let port = Port::start().await;
    let body = "x".repeat(200 * 1024);
    let (status, text) = body_of(bearer(&port, "sxt_unknown").post(body)).await;
    assert_eq!(status, 401);
    assert!(text.contains("the key is refused"), "{text}");
    port.stop().await;
}

#[actix_web::test]
async fn r028_no_answer_and_no_row_contains_a_presented_key() {
    let port = Port::start().await;
    let key = "sxt_this-is-the-key";
    let request = bearer(&port, key)
        .modern("tools/list", json!({}))
        .header("mcp-method", key);
    let (_, text) = body_of(request).await;
    assert!(!text.contains(key));
    let rows = port.audit.wait_for(1).await;
    assert!(!format!("{rows:?}").contains(key));
    port.stop().await;
}

#[actix_web::test]
async fn only_the_one_path_and_its_three_methods_are_served() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    for method in [Method::PUT, Method::OPTIONS, Method::PATCH] {
        assert_eq!(body_of(agent.bare(method)).await.0, 405);
    }
    let slash = Client::new(&format!("{}/", port.url), agent.key.clone());
    assert_eq!(
        body_of(slash.modern("tools/list", json!({}))).await.0,
        200,
        "no redirect to it either"
    );
    let other = Client::new(&format!("{}/more", port.url), agent.key.clone());
    assert_eq!(body_of(other.modern("tools/list", json!({}))).await.0, 404);
    port.stop().await;
}

#[actix_web::test]
async fn a_head_beyond_its_bound_is_refused() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let request = agent
        .modern("tools/list", json!({}))
        .header("x-filler", "x".repeat(40_000));
    assert_eq!(json_of(request).await.0, 431);
    port.stop().await;
}

#[actix_web::test]
async fn r034_refusals_beyond_thirty_a_minute_are_counted_and_r069_nothing_slows_down() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let stranger = bearer(&port, "sxt_unknown");
    for _ in 0..33 {
        let request = stranger.modern("tools/list", json!({}));
        assert_eq!(body_of(request).await.0, 401);
    }
    assert_eq!(body_of(agent.modern("tools/list", json!({}))).await.0, 200);
    assert_eq!(port.audit.wait_for(30).await.len(), 30);
    port.clock.advance(chrono::Duration::seconds(60));
    assert_eq!(body_of(stranger.initialize("2025-11-25")).await.0, 401);
    let rows = port.audit.wait_for(32).await;
    let summary = "throttled: 3 initialize denials coalesced";
    assert_eq!(rows[30].decision, Decision::Deny(summary.into()));
    assert_eq!(rows[31].decision, Decision::Deny("unknown agent".into()));
    port.stop().await;
}
