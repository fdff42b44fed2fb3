//! A session belongs to the key that opened it: for any other key it does not exist.

use std::collections::BTreeMap;

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use super::support::{Client, Events, Port, body_of, client::send};

/// Every kind of request that can name a session.
fn requests(client: &Client, session: &str) -> Vec<RequestBuilder> {
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    let response = json!({ "jsonrpc": "2.0", "id": 7, "result": {} });
    vec![
        client.in_session(session, "ping", json!({})),
        client.session_call(session, "query", json!({ "target": "finance.accounts" })),
        client.post(cancel).header("mcp-session-id", session),
        client.post(response).header("mcp-session-id", session),
        client.listen(session),
        client.listen(session).header("last-event-id", "0"),
        client.listen(session).header("last-event-id", "0/0"),
        client
            .bare(Method::DELETE)
            .header("mcp-session-id", session),
    ]
}

/// Status, headers and body, without the date.
async fn whole(request: RequestBuilder) -> (u16, BTreeMap<String, String>, String) {
    let answer = send(request).await;
    let head = answer.headers().iter().filter(|(name, _)| *name != "date");
    let head = head.map(|(name, value)| (name.to_string(), format!("{value:?}")));
    let (status, head) = (answer.status().as_u16(), head.collect());
    (status, head, answer.text().await.unwrap())
}

#[actix_web::test]
async fn another_agents_session_is_told_from_none_by_nothing() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance"]).await;
    let thief = port.agent("chatgpt", &["finance"]).await;
    let session = agent.session().await;
    let mut stream = Events::open(agent.listen(&session)).await;
    let never = session.chars().rev().collect::<String>();
    for (stolen, unknown) in requests(&thief, &session)
        .into_iter()
        .zip(requests(&thief, &never))
    {
        let (stolen, unknown) = (whole(stolen).await, whole(unknown).await);
        assert_eq!(stolen.0, 404);
        assert_eq!(stolen, unknown);
    }
    // Another agent cannot end the owner's stream, and the attempts leave no audit row.
    let waits = tokio::time::timeout(std::time::Duration::ZERO, stream.next()).await;
    assert!(waits.is_err(), "the owner's stream is open");
    assert_eq!(
        body_of(agent.in_session(&session, "ping", json!({})))
            .await
            .0,
        200
    );
    assert!(port.audit.rows().is_empty());
    assert_eq!(port.sessions("chatgpt").await, 0);
    port.stop().await;
}

#[actix_web::test]
async fn a_stranger_keeps_no_session_alive() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance"]).await;
    let thief = port.agent("chatgpt", &["finance"]).await;
    let session = agent.session().await;
    let mut stream = Events::open(agent.listen(&session)).await;
    port.clock.advance(chrono::Duration::minutes(4));
    for request in requests(&thief, &session) {
        assert_eq!(body_of(request).await.0, 404);
    }
    port.clock.advance(chrono::Duration::minutes(1));
    assert_eq!(stream.next().await, None);
    port.stop().await;
}

#[actix_web::test]
async fn a_use_by_its_owner_keeps_a_session_alive() {
    let port = Port::start().await;
    let agent = port.agent("claude", &["finance"]).await;
    let session = agent.session().await;
    for _ in 0..3 {
        port.clock.advance(chrono::Duration::minutes(4));
        let ping = agent.in_session(&session, "ping", json!({}));
        assert_eq!(body_of(ping).await.0, 200);
    }
    port.stop().await;
}
