//! The Console port at its limit of connections, and connections whose other end does not read.

use std::time::Duration;

use serde_json::json;
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use crate::support::TestApp;
use crate::support::app::settings;
use crate::support::eventually::eventually;
use crate::support::raw_reader::{Ended, RawReader};

const CONNECTIONS_MAX: usize = 16;
const STALL_MAX: Duration = Duration::from_millis(200);

async fn crowded() -> TestApp {
    let mut settings = settings();
    settings.connections.console_connections_max = CONNECTIONS_MAX;
    TestApp::start_with(settings).await
}

/// A connection over which a request has been served.
async fn served(app: &TestApp) -> RawReader {
    let mut reader = RawReader::to(app.address());
    reader.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    reader.wait_for_answer().await;
    assert!(!reader.is_over());
    reader
}

#[actix_web::test]
async fn the_connection_that_was_idle_for_the_longest_gives_way_to_the_operator() {
    let app = crowded().await;
    let mut idle = Vec::new();
    for _ in 0..CONNECTIONS_MAX {
        idle.push(served(&app).await);
    }
    // The first is used once more, so that the second has been idle for longer.
    idle[0].send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    idle[0].wait_for_answer().await;
    app.healthz().await.expect(200);
    eventually("the second gives way", async || idle[1].is_over()).await;
    let over: Vec<usize> = (0..CONNECTIONS_MAX)
        .filter(|at| idle[*at].is_over())
        .collect();
    assert_eq!(over, [1]);
    // The same holds for further connections; there are never more than the limit.
    for _ in 0..2 * CONNECTIONS_MAX {
        idle.push(served(&app).await);
    }
    eventually("all but the last are gone", async || {
        let open = idle.iter_mut().map(|reader| !reader.is_over());
        open.filter(|open| *open).count() <= CONNECTIONS_MAX
    })
    .await;
    app.healthz().await.expect(200);
}

#[actix_web::test]
async fn the_operator_is_served_though_every_connection_has_a_request_under_way() {
    let app = crowded().await;
    let stuck = "POST /api/agents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    let mut busy: Vec<RawReader> = Vec::new();
    for _ in 0..4 * CONNECTIONS_MAX {
        let mut reader = RawReader::to(app.address());
        reader.send(stuck);
        busy.push(reader);
    }
    app.get("/api/agents").await.expect(200);
    eventually("the others are gone", async || {
        let open = busy.iter_mut().map(|reader| !reader.is_over());
        open.filter(|open| *open).count() <= CONNECTIONS_MAX
    })
    .await;
}

#[actix_web::test]
async fn whoever_takes_nothing_of_the_mirror_is_cut_off_long_before_whoever_takes_nothing_of_an_export()
 {
    let mut settings = settings();
    settings.connections.stall_max = STALL_MAX;
    let app = TestApp::start_with(settings).await;
    let (post, _) = app.push_connection("mail.messages").await;
    let (id, post) = (Uuid::from_u128(7), post.parse::<Uuid>().unwrap());
    let client = app.database.connect_as_superuser().await;
    // Text that does not compress well.
    let insert = "INSERT INTO mail.messages (id, user_id, connection_id, source_id, body_text)
        SELECT $1, $2, $3, 'x', string_agg(md5(i::text), '') FROM generate_series(1, 30000) i";
    client
        .execute(insert, &[&id, &OPERATOR, &post])
        .await
        .unwrap();
    let key = app.key_of("claude", &["mail"]).await;
    let mut export = RawReader::to(app.address());
    export.send("GET /api/export HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    export.wait_for_answer().await;
    let mut mirror = RawReader::to(app.address());
    let arguments = json!({ "target": "mail.messages", "id": id }).to_string();
    mirror.post("/api/read/get_record", &key, "", &arguments);
    mirror.wait_for_answer().await;
    let mut agents = RawReader::to(app.agents);
    let params = json!({ "name": "get_record", "arguments": { "target": "mail.messages", "id": id }, "_meta": crate::mcp::support::modern_meta() });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let head =
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_record\r\n";
    agents.post("/mcp", &key, head, &body.to_string());
    agents.wait_for_answer().await;
    mirror.wait_for_reset().await;
    agents.wait_for_reset().await;
    let ended = export.rest();
    assert!(
        matches!(ended, Ended::Closed(bytes) if bytes > 300_000),
        "{ended:?}"
    );
}
