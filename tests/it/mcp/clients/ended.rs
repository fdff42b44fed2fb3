//! A revocation in the middle of a call and on an open session, as each client sees it.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::url;
use crate::mcp::support::slow::SlowTable;
use crate::support::TestApp;
use crate::support::clients::{Conversation, installed};

/// Whether the client has an error instead of a tool's answer.
fn is_cut(told: &Value) -> bool {
    told.get("text").is_none() && (told["code"].is_i64() || told["failed"].is_string())
}

/// A refused request is an error of that call alone, or ends the client (Python's first version).
fn is_refused(told: &Value) -> bool {
    is_cut(told)
        || told["refused"]
            .as_str()
            .is_some_and(|why| why.contains("401"))
}

async fn revoked_in_the_middle(
    app: &TestApp,
    slow: &SlowTable,
    client: &mut Conversation,
    name: &str,
) {
    client.begin("query", &SlowTable::query()).await;
    slow.is_at_work().await;
    let ended = app.revoke_agent(name).await.expect(200);
    assert!(ended["sessionsEnded"].as_u64().unwrap() >= 1, "{ended}");
    let told = client.end().await;
    assert!(is_cut(&told), "{}: {told}", client.peer);
    slow.wait_until_left().await;
    let told = client.call("list_actions", &json!({})).await;
    assert!(is_refused(&told), "{}: {told}", client.peer);
}

#[actix_web::test]
async fn r067_every_client_sees_its_call_end_when_its_key_is_revoked_and_is_refused_from_then_on() {
    let app = TestApp::start().await;
    let slow = SlowTable::of(&app).await;
    let url = &url(&app);
    let mut names = Vec::new();
    let mut connecting = Vec::new();
    for (number, peer) in installed("r067_every_client").into_iter().enumerate() {
        let name = format!("agent-{number}");
        let key = app.key_of(&name, &["finance"]).await;
        connecting.push(async move { peer.connect(url, &key).await });
        names.push(name);
    }
    for (mut client, name) in join_all(connecting).await.into_iter().zip(names) {
        revoked_in_the_middle(&app, &slow, &mut client, &name).await;
    }
}
