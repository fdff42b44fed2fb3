//! A stream that begins without rmcp, from its head to its last event.

use serde_json::{Value, json};

use super::message::{Message, whole};
use crate::mcp::support::{Client, Port, modern_meta};

/// A request for a stream, with these notifications.
fn listen(id: Value, notifications: Value) -> Message {
    let params = json!({ "notifications": notifications, "_meta": modern_meta() });
    let body =
        json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params });
    let headers = [
        ("content-type", "application/json"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "subscriptions/listen"),
    ];
    Message {
        headers: headers.map(|(name, value)| (name, value.to_owned())).into(),
        body: body.to_string().into(),
    }
}

#[actix_web::test]
async fn r067_a_stream_begun_without_rmcp_is_told_as_by_rmcp_and_ends_with_the_edit() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance", "health"]).await;
    let rmcp = port.passing_to_rmcp();
    let other = Client::new(&rmcp.url, agent.key.clone());
    let messages = [
        listen(json!(7), json!({})),
        listen(json!("a \"b\""), json!({ "toolsListChanged": true })),
    ];
    let mut streams = Vec::new();
    for message in &messages {
        let before = port.direct_calls.count();
        let direct = message.send(&agent).await;
        assert_eq!(port.direct_calls.count(), before + 1);
        streams.push((direct, message.send(&other).await));
        assert_eq!(port.direct_calls.count(), before + 1);
    }
    assert_eq!(port.amend("claude", &["finance"]).await, 1);
    for (direct, passed) in streams {
        let direct = whole(direct).await;
        assert!(direct.2.contains("acknowledged"), "{direct:?}");
        assert!(
            direct.2.contains("\"resultType\":\"complete\""),
            "{direct:?}"
        );
        assert_eq!(direct, whole(passed).await);
    }
    rmcp.stop().await;
    port.stop().await;
}
