//! Bodies that are no message, or no message of ours (docs/asking.md#mcp).

use serde_json::json;

use super::support::{Port, body_of, json_of};

#[actix_web::test]
async fn what_cannot_be_read_is_a_json_rpc_error_with_400() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    for (body, code) in [
        ("{ not json".to_owned(), -32700),
        (String::new(), -32700),
        (json!([ping]).to_string(), -32600),
        (json!({ "hello": "world" }).to_string(), -32600),
        (
            json!({ "jsonrpc": "2.0", "id": {}, "method": "ping" }).to_string(),
            -32600,
        ),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "_meta": 1 } })
                .to_string(),
            -32602,
        ),
    ] {
        let (status, answer) = json_of(agent.post(&body)).await;
        assert_eq!(
            (status, answer["error"]["code"].as_i64()),
            (400, Some(code)),
            "{body}"
        );
    }
    port.stop().await;
}

#[actix_web::test]
async fn a_batch_of_2025_03_26_is_refused_and_that_version_is_not_offered() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let session = agent.session().await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let batch = agent
        .post(json!([ping, ping]))
        .header("mcp-session-id", &session);
    assert_eq!(json_of(batch).await.1["error"]["code"], -32600);
    let old = agent
        .in_session(&session, "ping", json!({}))
        .header("mcp-protocol-version", "2025-03-26");
    let (status, answer) = json_of(old).await;
    assert_eq!(
        (status, answer["error"]["code"].as_i64()),
        (400, Some(-32022))
    );
    port.stop().await;
}

#[actix_web::test]
async fn a_body_beyond_its_bound_is_refused_by_size() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let filler = "x".repeat(4 * 1024 * 1024 - 1024);
    let fits = agent.modern_call(
        "query",
        json!({ "target": "mail.messages", "search": filler }),
    );
    assert_eq!(body_of(fits).await.0, 200);
    let over = agent.modern_call(
        "query",
        json!({ "search": "x".repeat(4 * 1024 * 1024 + 1) }),
    );
    assert_eq!(body_of(over).await.0, 413);
    port.stop().await;
}

#[actix_web::test]
async fn a_body_that_is_not_declared_as_json_is_refused() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let request = agent
        .bare(reqwest::Method::POST)
        .header("content-type", "text/plain")
        .body("{}");
    assert_eq!(body_of(request).await.0, 415);
    port.stop().await;
}

#[actix_web::test]
async fn any_accept_header_will_do() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    for accept in ["*/*", "application/json", "text/html"] {
        let mut request = agent.modern("tools/list", json!({})).build().unwrap();
        request
            .headers_mut()
            .insert("accept", accept.parse().unwrap());
        let http = crate::support::http::builder().build().unwrap();
        assert_eq!(
            http.execute(request).await.unwrap().status(),
            200,
            "{accept}"
        );
    }
    port.stop().await;
}
