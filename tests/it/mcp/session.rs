//! 2025-06-18 and 2025-11-25: requests in a session (docs/asking.md#sessions).

use reqwest::Method;
use serde_json::{Value, json};

use super::support::{Client, Events, Port, body_of, json_of};

async fn port_with_session() -> (Port, Client, String) {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance", "health"]).await;
    let session = agent.session().await;
    (port, agent, session)
}

#[actix_web::test]
async fn a_session_serves_with_and_without_the_version_header() {
    let (port, agent, session) = port_with_session().await;
    let (status, answer) = json_of(agent.in_session(&session, "ping", json!({}))).await;
    assert_eq!((status, &answer["result"]), (200, &json!({})));
    for version in ["2025-06-18", "2025-11-25"] {
        let request = agent.in_session(&session, "tools/list", json!({}));
        let (status, answer) = json_of(request.header("mcp-protocol-version", version)).await;
        assert_eq!(
            (status, answer["result"]["tools"].as_array().unwrap().len()),
            (200, 7)
        );
        assert!(answer["result"].get("resultType").is_none());
    }
    let invalid = agent
        .in_session(&session, "ping", json!({}))
        .header("mcp-protocol-version", "nonsense");
    assert_eq!(body_of(invalid).await.0, 400);
    port.stop().await;
}

#[actix_web::test]
async fn a_call_in_a_session_answers_and_leaves_one_row() {
    let (port, agent, session) = port_with_session().await;
    let arguments = json!({ "target": "finance.accounts", "limit": 3 });
    let (status, answer) = json_of(agent.session_call(&session, "query", arguments.clone())).await;
    assert_eq!(status, 200);
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), arguments);
    let (_, unknown) = json_of(agent.session_call(&session, "drop_tables", json!({}))).await;
    assert_eq!(unknown["error"]["code"], -32602);
    let rows = port.audit.wait_for(2).await;
    assert_eq!(
        (rows[0].tool.as_str(), rows[0].request_id.as_deref()),
        ("query", Some("7"))
    );
    port.stop().await;
}

#[actix_web::test]
async fn whatever_is_not_a_tool_is_an_error_in_the_stream() {
    let (port, agent, session) = port_with_session().await;
    for method in [
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "no/such/method",
    ] {
        let (status, answer) = json_of(agent.in_session(&session, method, json!({}))).await;
        assert_eq!(
            (status, answer["error"]["code"].as_i64()),
            (200, Some(-32601)),
            "{method}"
        );
    }
    port.stop().await;
}

#[actix_web::test]
async fn a_missing_id_is_a_400_and_an_unknown_or_foreign_one_a_404() {
    let (port, agent, session) = port_with_session().await;
    let other = port.agent("chatgpt", &["finance"]).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert_eq!(body_of(agent.post(&ping)).await.0, 400);
    assert_eq!(body_of(agent.bare(Method::GET)).await.0, 400);
    assert_eq!(body_of(agent.bare(Method::DELETE)).await.0, 400);
    for request in [
        agent.in_session("unknown", "ping", json!({})),
        other.in_session(&session, "ping", json!({})),
        other.listen(&session),
        other
            .bare(Method::DELETE)
            .header("mcp-session-id", &session),
    ] {
        assert_eq!(body_of(request).await.0, 404);
    }
    assert_eq!(
        body_of(agent.in_session(&session, "ping", json!({})))
            .await
            .0,
        200
    );
    port.stop().await;
}

#[actix_web::test]
async fn a_session_request_that_looks_stateless_does_not_reach_a_foreign_session() {
    let (port, _agent, session) = port_with_session().await;
    let other = port.agent("chatgpt", &["finance"]).await;
    let request = other
        .modern("tools/list", json!({}))
        .header("mcp-session-id", &session);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(
        answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("application/json")
    );
    let disguised = other
        .in_session(&session, "server/discover", json!({}))
        .header("mcp-protocol-version", "2025-11-25");
    assert_eq!(body_of(disguised).await.0, 400);
    port.stop().await;
}

#[actix_web::test]
async fn delete_ends_the_session_with_204_and_its_streams() {
    let (port, agent, session) = port_with_session().await;
    let mut stream = Events::open(agent.listen(&session)).await;
    let delete = || {
        agent
            .bare(Method::DELETE)
            .header("mcp-session-id", &session)
    };
    assert_eq!(body_of(delete()).await, (204, String::new()));
    assert_eq!(stream.next().await, None);
    assert_eq!(body_of(delete()).await.0, 404);
    assert_eq!(
        body_of(agent.in_session(&session, "ping", json!({})))
            .await
            .0,
        404
    );
    assert_eq!(port.sessions("claude").await, 0);
    port.stop().await;
}

#[actix_web::test]
async fn a_cancelled_call_is_abandoned() {
    let (port, agent, session) = port_with_session().await;
    let call = agent.session_call(
        &session,
        "query",
        super::support::TestToolService::endless(),
    );
    let mut stream = Events::open(call).await;
    port.tool_service.wait_for_call().await;
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    assert_eq!(
        body_of(agent.post(cancel).header("mcp-session-id", &session))
            .await
            .0,
        202
    );
    port.tool_service.wait_for_abandonment().await;
    assert_eq!(stream.next().await, None);
    port.stop().await;
}

#[actix_web::test]
async fn an_idle_session_ends_with_its_stream_until_its_client_comes_back() {
    let (port, agent, session) = port_with_session().await;
    let other = port.agent("chatgpt", &["finance"]).await;
    let ping = |client: &Client| body_of(client.in_session(&session, "ping", json!({})));
    for _ in 0..3 {
        let mut stream = Events::open(agent.listen(&session)).await;
        port.clock.advance(chrono::Duration::minutes(6));
        assert_eq!(stream.next().await, None);
        assert_eq!(port.sessions("claude").await, 0);
        assert_eq!(ping(&other).await.0, 404);
        assert_eq!(ping(&agent).await.0, 200);
        let call = agent.session_call(&session, "query", json!({ "target": "finance.accounts" }));
        assert_eq!(json_of(call).await.1["result"]["isError"], false);
        assert_eq!(port.sessions("claude").await, 1);
    }
    let goodbye = agent.bare(Method::DELETE);
    let goodbye = body_of(goodbye.header("mcp-session-id", &session)).await;
    assert_eq!((goodbye.0, ping(&agent).await.0), (204, 404));
    port.stop().await;
}

#[actix_web::test]
async fn r067_an_edit_ends_what_rests_too() {
    let (port, agent, session) = port_with_session().await;
    let mut stream = Events::open(agent.listen(&session)).await;
    port.clock.advance(chrono::Duration::minutes(6));
    assert_eq!(stream.next().await, None);
    port.amend("claude", &["mail"]).await;
    port.amend("claude", &["finance", "health"]).await;
    let ping = agent.in_session(&session, "ping", json!({}));
    assert_eq!(body_of(ping).await.0, 404);
    port.stop().await;
}
