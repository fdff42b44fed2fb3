//! 2026-07-28: every request stands by itself (docs/asking.md#stateless-requests).

use serde_json::{Value, json};
use sextant_actors::domain::{Decision, Outcome, Sector};

use super::support::{Client, Port, TestToolService, body_of, json_of, modern_meta};

async fn port_with_agent() -> (Port, Client) {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance", "health"]).await;
    (port, agent)
}

#[actix_web::test]
async fn discover_names_three_versions_and_the_way_to_begin() {
    let (port, agent) = port_with_agent().await;
    let (status, answer) = json_of(agent.modern("server/discover", json!({}))).await;
    let result = &answer["result"];
    assert_eq!(status, 200);
    let mut versions: Vec<&str> = result["supportedVersions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    versions.sort_unstable();
    assert_eq!(versions, ["2025-06-18", "2025-11-25", "2026-07-28"]);
    assert!(
        result["instructions"]
            .as_str()
            .unwrap()
            .contains("describe_context")
    );
    assert_eq!(result["capabilities"], json!({ "tools": {} }));
    assert_eq!(result["resultType"], "complete");
    assert!(result["ttlMs"].is_number());
    assert_eq!(result["cacheScope"], "private");
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "sextant"
    );
    port.stop().await;
}

#[actix_web::test]
async fn the_list_holds_the_seven_tools_and_may_be_cached_privately() {
    let (port, agent) = port_with_agent().await;
    let (_, answer) = json_of(agent.modern("tools/list", json!({}))).await;
    let tools = answer["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 7);
    assert_eq!(
        tools[0]["inputSchema"],
        json!({ "type": "object", "additionalProperties": false })
    );
    assert_eq!(answer["result"]["cacheScope"], "private");
    assert!(answer["result"]["ttlMs"].is_number());
    let (_, second_page) = json_of(agent.modern("tools/list", json!({ "cursor": "2" }))).await;
    assert_eq!(second_page["error"]["code"], -32602);
    port.stop().await;
}

#[actix_web::test]
async fn r043_a_call_answers_its_data_once_as_text_and_leaves_one_row() {
    let (port, agent) = port_with_agent().await;
    let arguments = json!({ "target": "finance.transactions", "limit": 3, "where": { "amount": { "lt": -12.50 } } });
    let (status, answer) = json_of(agent.modern_call("query", arguments.clone())).await;
    assert_eq!(status, 200);
    let result = &answer["result"];
    assert_eq!(result["content"].as_array().unwrap().len(), 1);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), arguments);
    assert!(result.get("structuredContent").is_none());
    assert_eq!(result["resultType"], "complete");
    let rows = port.audit.wait_for(1).await;
    assert_eq!(
        (rows[0].tool.as_str(), rows[0].request_id.as_deref()),
        ("query", Some("7"))
    );
    assert_eq!(rows[0].agent_id.as_deref(), Some("claude"));
    assert_eq!(rows.len(), 1);
    port.stop().await;
}

#[actix_web::test]
async fn r043_r065_a_denied_sector_is_a_result_that_the_model_can_read() {
    let (port, agent) = port_with_agent().await;
    let (status, answer) =
        json_of(agent.modern_call("query", json!({ "target": "mail.messages" }))).await;
    assert_eq!((status, &answer["result"]["isError"]), (200, &json!(true)));
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "access denied: mail"
    );
    let rows = port.audit.wait_for(1).await;
    assert_eq!(
        rows[0].decision,
        Decision::Deny("access denied: mail".into())
    );
    assert_eq!(
        (rows[0].sector, rows[0].outcome, rows.len()),
        (Some(Sector::Mail), None, 1)
    );
    port.stop().await;
}

#[actix_web::test]
async fn an_unknown_tool_and_a_bad_call_shape_are_invalid_params_in_a_200() {
    let (port, agent) = port_with_agent().await;
    let (status, answer) = json_of(agent.modern_call("drop_tables", json!({}))).await;
    assert_eq!(
        (status, answer["error"]["code"].as_i64()),
        (200, Some(-32602))
    );
    let said = answer["error"]["message"].as_str().unwrap();
    assert!(said.contains("unknown tool \"drop_tables\""), "{said}");
    let rows = port.audit.wait_for(1).await;
    assert_eq!(
        (rows[0].tool.as_str(), &rows[0].decision),
        ("tools/call", &Decision::Allow)
    );
    assert_eq!(rows[0].outcome, Some(Outcome::Error));
    let shapeless = agent.modern("tools/call", json!({ "name": "query", "arguments": [1] }));
    assert_eq!(json_of(shapeless).await.1["error"]["code"], -32602);
    port.stop().await;
}

#[actix_web::test]
async fn whatever_is_not_a_tool_is_not_found() {
    let (port, agent) = port_with_agent().await;
    for method in [
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "no/such/method",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
    ] {
        let request = agent.modern(method, json!({ "uri": "x:y", "level": "info" }));
        let (status, answer) = json_of(request.header("mcp-name", "x:y")).await;
        assert_eq!(
            (status, answer["error"]["code"].as_i64()),
            (404, Some(-32601)),
            "{method}"
        );
    }
    let named = json!({ "name": "x" });
    assert_eq!(
        json_of(agent.modern("prompts/get", named)).await.1["error"]["code"],
        -32601
    );
    let complete = json!({ "ref": { "type": "ref/prompt", "name": "x" }, "argument": { "name": "a", "value": "b" } });
    assert_eq!(
        json_of(agent.modern("completion/complete", complete))
            .await
            .1["error"]["code"],
        -32601
    );
    port.stop().await;
}

#[actix_web::test]
async fn a_header_that_contradicts_the_body_is_a_header_mismatch() {
    let (port, agent) = port_with_agent().await;
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
        "name": "query", "arguments": {}, "_meta": modern_meta(),
    }});
    let headers: [&[(&str, &str)]; 7] = [
        &[],
        &[("mcp-method", "tools/call"), ("mcp-name", "query")],
        &[
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-name", "query"),
        ],
        &[
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
        ],
        &[
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/list"),
            ("mcp-name", "query"),
        ],
        &[
            ("mcp-protocol-version", "2025-11-25"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "query"),
        ],
        &[
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "query"),
        ],
    ];
    for pairs in headers {
        let mut request = agent.post(&call);
        for (name, value) in pairs {
            request = request.header(*name, *value);
        }
        let (status, answer) = json_of(request).await;
        assert_eq!(
            (status, answer["error"]["code"].as_i64()),
            (400, Some(-32020)),
            "{pairs:?}"
        );
    }
    port.stop().await;
}

#[actix_web::test]
async fn an_encoded_name_header_is_decoded_before_it_is_compared() {
    let (port, agent) = port_with_agent().await;
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
        "name": "query", "arguments": { "target": "finance.accounts" }, "_meta": modern_meta(),
    }});
    let request = agent
        .post(&call)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "=?base64?cXVlcnk=?=");
    assert_eq!(body_of(request).await.0, 200);
    port.stop().await;
}

#[actix_web::test]
async fn a_version_that_is_not_served_is_named_with_those_that_are() {
    let (port, agent) = port_with_agent().await;
    for version in ["2099-01-01", "2025-03-26"] {
        let mut meta = modern_meta();
        meta["io.modelcontextprotocol/protocolVersion"] = json!(version);
        let request = agent
            .post(json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": { "_meta": meta } }))
            .header("mcp-protocol-version", version)
            .header("mcp-method", "tools/list");
        let (status, answer) = json_of(request).await;
        assert_eq!(
            (status, answer["error"]["code"].as_i64()),
            (400, Some(-32022)),
            "{version}"
        );
        assert_eq!(answer["error"]["data"]["requested"], version);
        assert_eq!(
            answer["error"]["data"]["supported"]
                .as_array()
                .unwrap()
                .len(),
            3
        );
    }
    port.stop().await;
}

#[actix_web::test]
async fn missing_meta_is_invalid_params_with_400() {
    let (port, agent) = port_with_agent().await;
    let version_only = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    for meta in [json!({}), version_only] {
        let request = agent
            .post(json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": { "_meta": meta } }))
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/list");
        let (status, answer) = json_of(request).await;
        assert_eq!(
            (status, answer["error"]["code"].as_i64()),
            (400, Some(-32602)),
            "{meta}"
        );
    }
    port.stop().await;
}

#[actix_web::test]
async fn session_ids_mean_nothing_and_streams_do_not_exist() {
    let (port, agent) = port_with_agent().await;
    let request = agent
        .modern("tools/list", json!({}))
        .header("mcp-session-id", "no-such-session");
    assert_eq!(body_of(request.header("last-event-id", "3")).await.0, 200);
    for method in [reqwest::Method::GET, reqwest::Method::DELETE] {
        let request = agent
            .bare(method)
            .header("mcp-protocol-version", "2026-07-28");
        let answer = request.header("mcp-session-id", "x").send().await.unwrap();
        assert_eq!(answer.status(), 405);
        assert_eq!(answer.headers()["allow"], "POST");
    }
    port.stop().await;
}

#[actix_web::test]
async fn a_notification_is_accepted() {
    let (port, agent) = port_with_agent().await;
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1, "_meta": modern_meta() } });
    let request = agent
        .post(cancelled)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "notifications/cancelled");
    assert_eq!(body_of(request).await.0, 202);
    port.stop().await;
}

#[actix_web::test]
async fn requests_of_one_client_share_a_session_that_can_be_listed() {
    let (port, agent) = port_with_agent().await;
    for _ in 0..3 {
        assert_eq!(
            body_of(agent.modern_call("describe_context", json!({})))
                .await
                .0,
            200
        );
    }
    assert_eq!(port.sessions("claude").await, 1);
    port.stop().await;
}

#[actix_web::test]
async fn a_client_that_leaves_cancels_its_call() {
    let (port, agent) = port_with_agent().await;
    let request = agent.modern_call("query", TestToolService::endless());
    let call = actix_web::rt::spawn(request.send());
    port.tool_service.wait_for_call().await;
    call.abort();
    port.tool_service.wait_for_abandonment().await;
    let rows = port.audit.wait_for(1).await;
    assert_eq!((rows.len(), rows[0].tool.as_str()), (1, "query"));
    port.stop().await;
}
