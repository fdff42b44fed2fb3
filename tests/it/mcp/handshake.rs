//! `initialize`: how a session of the older era begins (docs/asking.md#sessions).

use serde_json::json;
use sextant_actors::limits::TreeLimits;

use super::support::{Port, body_of, json_of};

#[actix_web::test]
async fn the_asked_version_is_echoed_if_served_and_the_newest_is_offered_otherwise() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    for (asked, agreed) in [
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2025-03-26", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let (status, answer) = json_of(agent.initialize(asked)).await;
        let result = &answer["result"];
        assert_eq!(
            (status, result["protocolVersion"].as_str()),
            (200, Some(agreed)),
            "{asked}"
        );
        assert_eq!(result["serverInfo"]["name"], "sextant");
        assert_eq!(result["capabilities"], json!({ "tools": {} }));
        assert!(
            result["instructions"]
                .as_str()
                .unwrap()
                .contains("describe_context")
        );
        assert!(result.get("resultType").is_none());
    }
    port.stop().await;
}

#[actix_web::test]
async fn a_session_id_is_unguessable_text_and_a_stale_one_does_not_hinder_a_new_start() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let first = agent.session().await;
    let second = agent.session().await;
    assert_ne!(first, second);
    assert!(first.len() >= 32 && first.bytes().all(|byte| byte.is_ascii_graphic()));
    let again = agent
        .initialize("2025-11-25")
        .header("mcp-session-id", "stale");
    assert_eq!(body_of(again).await.0, 200);
    assert_eq!(port.sessions("claude").await, 3);
    assert!(
        port.audit.rows().is_empty(),
        "a session start leaves no row (r033)"
    );
    port.stop().await;
}

#[actix_web::test]
async fn a_handshake_that_comes_to_nothing_leaves_no_session() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["mail"]).await;
    let contradicts = agent
        .initialize("2025-11-25")
        .header("mcp-protocol-version", "2025-06-18");
    assert_eq!(body_of(contradicts).await.0, 400);
    let whole = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "a", "version": "1" } });
    for missing in ["protocolVersion", "capabilities", "clientInfo"] {
        let mut params = whole.clone();
        params.as_object_mut().unwrap().remove(missing);
        let handshake =
            json!({ "jsonrpc": "2.0", "id": 5, "method": "initialize", "params": params });
        let (status, told) = json_of(agent.post(handshake)).await;
        let error = (&told["id"], &told["error"]["code"]);
        assert_eq!((status, error), (400, (&json!(5), &json!(-32602))));
        assert!(told["error"]["message"].as_str().unwrap().contains(missing));
    }
    let unheard = json!({ "jsonrpc": "2.0", "method": "initialize", "params": whole });
    let (status, told) = json_of(agent.post(unheard)).await;
    assert_eq!((status, &told["error"]["code"]), (400, &json!(-32602)));
    let tomorrow = agent
        .initialize("2099-01-01")
        .header("mcp-protocol-version", "2099-01-01");
    let (status, told) = json_of(tomorrow).await;
    assert_eq!((status, &told["error"]["code"]), (400, &json!(-32022)));
    assert_eq!(told["error"]["data"]["requested"], "2099-01-01");
    assert_eq!(port.sessions("claude").await, 0);
    port.stop().await;
}

#[actix_web::test]
async fn sessions_are_bounded_and_a_busy_agent_is_told_to_come_again() {
    let limits = TreeLimits {
        sessions_per_agent_max: 1,
        ..TreeLimits::default()
    };
    let port = Port::start_with(limits).await;
    let agent = port.agent("claude", &["health"]).await;
    let call = agent.modern_call("query", super::support::TestToolService::endless());
    let call = actix_web::rt::spawn(call.send());
    port.tool_service.wait_for_call().await;
    let full = agent.initialize("2025-11-25").send().await.unwrap();
    assert_eq!(full.status(), 503);
    assert_eq!(full.headers()["retry-after"], "1");
    call.abort();
    port.stop().await;
}
