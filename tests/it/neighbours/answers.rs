//! The quota for answers: what one agent has requested and not read is bounded, over both ports together.

use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use super::unread::{Unread, ask};
use super::{call, outcomes};
use crate::mcp::support::{Client, json_of, modern_meta};
use crate::support::TestApp;
use crate::support::eventually::eventually;

/// A body whose answer is just shorter than the longest possible one; the quota has room for sixteen of them.
const BODY_BYTES: usize = 1_000_000;
const ROOM_FOR: usize = 16;

/// Stores a long mail; returns the arguments that request it.
async fn long_mail(app: &TestApp) -> Value {
    let (post, _) = app.push_connection("mail.messages").await;
    let (id, post) = (Uuid::from_u128(7), post.parse::<Uuid>().unwrap());
    let insert = "INSERT INTO mail.messages (id, user_id, connection_id, source_id, body_text) VALUES ($1, $2, $3, 'x', $4)";
    let client = app.database.connect_as_superuser().await;
    let body = "long ".repeat(BODY_BYTES / 5);
    client
        .execute(insert, &[&id, &OPERATOR, &post, &body])
        .await
        .unwrap();
    json!({ "target": "mail.messages", "id": id })
}

fn posted(path: &str, key: &str, more: &str, body: &Value) -> String {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n\
         {more}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Requests the mail over the two ports in turn without reading it, until the quota is used up.
async fn fill_quota(app: &TestApp, key: &str, mail: &Value) -> Vec<Unread> {
    let params = json!({ "name": "get_record", "arguments": mail, "_meta": modern_meta() });
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
    let more =
        "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_record\r\n";
    let over_mcp = posted("/mcp", key, more, &message);
    let mirrored = posted("/api/read/get_record", key, "", mail);
    let mut unread = Vec::new();
    for number in 0..ROOM_FOR {
        let (address, request) = match number % 2 {
            0 => (app.agents, &over_mcp),
            _ => (app.console, &mirrored),
        };
        let (status, line) = ask(address, request).await;
        assert_eq!(status, 200, "{number}");
        unread.push(line);
    }
    unread
}

#[actix_web::test]
async fn answers_that_an_agent_does_not_read_have_room_for_so_much_on_both_ports_together() {
    let app = TestApp::start().await;
    let mail = long_mail(&app).await;
    let key = app.key_of("hog", &["mail"]).await;
    let other = app.key_of("light", &["mail"]).await;
    let unread = fill_quota(&app, &key, &mail).await;

    // Sixteen are in progress, and those over the other port count as much.
    let refused = app.send(call(&app, &key, "get_record", &mail)).await;
    let refused = refused.expect(503);
    assert_eq!(refused["error"], "unavailable");
    let words = refused["message"].as_str().unwrap();
    assert!(words.contains("read the answers before it"), "{words}");
    let port = Client::new(&format!("http://{}/mcp", app.agents), Some(key.clone()));
    let (status, told) = json_of(port.modern_call("get_record", mail.clone())).await;
    assert_eq!((status, &told["result"]["isError"]), (503, &json!(true)));
    assert_eq!(told["result"]["content"][0]["text"], words);
    let session = port.session().await;
    // A session's answer is a stream, whose status is sent before its call runs.
    let (status, told) = json_of(port.session_call(&session, "get_record", mail.clone())).await;
    assert_eq!((status, &told["result"]["isError"]), (200, &json!(true)));

    // A small answer still fits, and other agents are not affected.
    let few = json!({ "target": "mail.messages", "select": ["id"], "budget": 500 });
    app.send(call(&app, &key, "query", &few)).await.expect(200);
    app.send(call(&app, &other, "get_record", &mail))
        .await
        .expect(200);

    let rows = app.audit_rows(ROOM_FOR + 5).await;
    assert_eq!(outcomes(&rows, "hog", "ok").len(), ROOM_FOR + 1);
    let refusals = outcomes(&rows, "hog", "error");
    assert_eq!(refusals.len(), 3, "{refusals:?}");
    assert!(refusals.iter().all(|row| row["tool"] == "get_record"));

    // The quota is free again when the connections that nobody reads are closed.
    drop(unread);
    eventually("there is room again", async || {
        let answer = app.send(call(&app, &key, "get_record", &mail)).await;
        answer.status == 200
    })
    .await;
    // However often it is read, no part of the quota stays in use.
    for _ in 0..ROOM_FOR {
        app.send(call(&app, &key, "get_record", &mail))
            .await
            .expect(200);
        let (_, told) = json_of(port.modern_call("get_record", mail.clone())).await;
        assert_ne!(told["result"]["isError"], true);
        let (_, told) = json_of(port.session_call(&session, "get_record", mail.clone())).await;
        assert_ne!(told["result"]["isError"], true);
    }
}

/// The operator's answers do not count: they are bounded by the Console's connections.
#[actix_web::test]
async fn the_operators_answers_take_no_room_of_an_agents() {
    let app = TestApp::start().await;
    let mail = long_mail(&app).await;
    let key = app.key_of("hog", &["mail"]).await;
    let _unread = fill_quota(&app, &key, &mail).await;
    let seen = json!({ "tool": "get_record", "arguments": mail });
    app.post("/api/agents/hog/preview", seen).await.expect(200);
}
