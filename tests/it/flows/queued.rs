//! What was sent and not read when a grant is edited (r504): on both ports, wherever the client had left it.

use reqwest::Method;
use serde_json::json;
use sextant_actors::domain::OPERATOR;
use uuid::Uuid;

use super::edits::Edit;
use super::{agent, url};
use crate::mcp::support::{Client, body_of, modern_meta};
use crate::support::TestApp;
use crate::support::raw_reader::{Ended, RawReader};

/// More than a connection's queues hold together.
const LONG: Mail = Mail {
    id: Uuid::from_u128(7),
    bytes: 900_000,
};
/// As much as fits into them, so that the service has finished the answer.
const SHORT: Mail = Mail {
    id: Uuid::from_u128(8),
    bytes: 60_000,
};
/// More than a reader's receive buffer, which the system rounds up; far less than either mail.
const ROOM_BYTES_MAX: usize = 16 * 1024;

const EDITS: [Edit; 5] = [
    Edit::Rotate,
    Edit::Sectors,
    Edit::Deadline,
    Edit::Revoke,
    Edit::Remove,
];

#[derive(Clone, Copy)]
struct Mail {
    id: Uuid,
    bytes: usize,
}

#[derive(Clone, Copy, Debug)]
enum Port {
    Agents,
    Mirror,
}

const PORTS: [Port; 2] = [Port::Agents, Port::Mirror];

/// The service with both mails.
async fn with_mails() -> TestApp {
    let app = TestApp::start().await;
    let (post, _) = app.push_connection("mail.messages").await;
    let post: Uuid = post.parse().unwrap();
    let insert = "INSERT INTO mail.messages (id, user_id, connection_id, source_id, body_text) VALUES ($1, $2, $3, $4, $5)";
    let client = app.database.connect_as_superuser().await;
    for mail in [LONG, SHORT] {
        let (source, body) = (mail.id.to_string(), "a".repeat(mail.bytes));
        let row: [&(dyn tokio_postgres::types::ToSql + Sync); 5] =
            [&mail.id, &OPERATOR, &post, &source, &body];
        client.execute(insert, &row).await.unwrap();
    }
    app
}

impl Port {
    fn connect(self, app: &TestApp) -> RawReader {
        RawReader::to(match self {
            Self::Agents => app.agents,
            Self::Mirror => app.address(),
        })
    }

    /// Requests a mail on this connection, and reads nothing of the answer.
    fn ask(self, reader: &mut RawReader, key: &str, mail: Mail) {
        let arguments = json!({ "target": "mail.messages", "id": mail.id });
        match self {
            Self::Mirror => {
                reader.post("/api/read/get_record", key, "", &arguments.to_string());
            }
            Self::Agents => {
                let head = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_record\r\n";
                let params =
                    json!({ "name": "get_record", "arguments": arguments, "_meta": modern_meta() });
                let body =
                    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
                reader.post("/mcp", key, head, &body.to_string());
            }
        }
    }
}

/// Asserts that the reader gets what it had received, and then the end of the connection.
fn assert_cut(reader: &mut RawReader, what: &str) {
    let received = reader.received();
    assert!(received <= ROOM_BYTES_MAX, "{what}: {received}");
    assert_eq!(reader.rest(), Ended::Reset(received), "{what}");
}

#[actix_web::test]
async fn r504_what_a_client_had_not_read_is_thrown_away_before_an_edit_is_answered() {
    let app = with_mails().await;
    for port in PORTS {
        for edit in EDITS {
            let what = format!("{port:?}, {edit:?}");
            let key = app.key_of("claude", &["mail"]).await;
            let mut long = port.connect(&app);
            port.ask(&mut long, &key, LONG);
            let mut short = port.connect(&app);
            port.ask(&mut short, &key, SHORT);
            long.wait_for_answer().await;
            short.wait_for_answer().await;
            let told = edit.make(&app).await;
            assert_eq!(told["sessionsEnded"], 1, "{what}");
            assert_cut(&mut long, &format!("{what}, a long answer"));
            assert_cut(&mut short, &format!("{what}, a short answer"));
            app.remove_agent("claude").await;
        }
    }
}

#[actix_web::test]
async fn r504_a_client_that_has_ended_its_side_or_its_session_gets_no_more_either() {
    let app = with_mails().await;
    for port in PORTS {
        let key = app.key_of("claude", &["mail"]).await;
        let mut half = port.connect(&app);
        port.ask(&mut half, &key, SHORT);
        half.wait_for_answer().await;
        half.finish();
        let served = app.sessions("?agent=claude").await;
        assert_eq!(served.as_array().unwrap().len(), 1);
        Edit::Revoke.make(&app).await;
        assert_cut(&mut half, &format!("{port:?}, a side that was ended"));
        app.remove_agent("claude").await;
    }

    let client = agent(&app, "claude", &["mail"]).await;
    let session = client.session().await;
    let arguments = json!({ "target": "mail.messages", "id": SHORT.id });
    let params = json!({ "name": "get_record", "arguments": arguments });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut reader = Port::Agents.connect(&app);
    let head = format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
    let key = client.key.clone().unwrap();
    reader.post("/mcp", &key, &head, &body.to_string());
    // The head of a stream is sent before its call is served.
    reader.wait_until_full().await;
    let ended = client
        .bare(Method::DELETE)
        .header("mcp-session-id", &session);
    assert_eq!(body_of(ended).await.0, 204);
    let told = Edit::Revoke.make(&app).await;
    assert_eq!(told["sessionsEnded"], 0);
    let received = reader.received();
    assert!(reader.rest().bytes() <= received.min(ROOM_BYTES_MAX));
}

#[actix_web::test]
async fn r504_only_connections_that_hold_bytes_of_the_edited_grant_are_reset() {
    let app = with_mails().await;
    for port in PORTS {
        let key = app.key_of("claude", &["mail"]).await;
        let other = app.key_of("chatgpt", &["mail"]).await;
        // A connection of both agents, over which the other one made the last request.
        let mut shared = port.connect(&app);
        port.ask(&mut shared, &key, SHORT);
        port.ask(&mut shared, &other, SHORT);
        shared.wait_for_answer().await;
        // One connection of the other agent alone, and one of both over which everything for the first has been read.
        let mut theirs = port.connect(&app);
        port.ask(&mut theirs, &other, LONG);
        theirs.wait_for_answer().await;
        let mut read = port.connect(&app);
        port.ask(&mut read, &key, SHORT);
        read.take(SHORT.bytes);
        port.ask(&mut read, &other, LONG);
        read.wait_for_answer().await;

        Edit::Revoke.make(&app).await;
        assert_cut(&mut shared, &format!("{port:?}, shared"));
        theirs.take(LONG.bytes);
        read.take(LONG.bytes);
        for agent in ["claude", "chatgpt"] {
            app.remove_agent(agent).await;
        }
    }
}

#[actix_web::test]
async fn a_whole_answer_comes_to_whoever_asks_for_the_connection_to_be_closed_after_it() {
    let app = with_mails().await;
    let key = app.key_of("claude", &["mail"]).await;
    let arguments = json!({ "target": "mail.messages", "id": LONG.id }).to_string();
    let mut reader = RawReader::to(app.address());
    reader.post(
        "/api/read/get_record",
        &key,
        "Connection: close\r\n",
        &arguments,
    );
    let ended = reader.rest();
    assert!(
        matches!(ended, Ended::Closed(bytes) if bytes > LONG.bytes),
        "{ended:?}"
    );
    // When the client closes its own side, the answer is not cut short either.
    let mut reader = RawReader::to(app.address());
    reader.post("/api/read/get_record", &key, "", &arguments);
    reader.finish();
    let ended = reader.rest();
    assert!(
        matches!(ended, Ended::Closed(bytes) if bytes > LONG.bytes),
        "{ended:?}"
    );
    let client = Client::new(&url(&app), Some(key));
    let whole = client.modern_call(
        "get_record",
        json!({ "target": "mail.messages", "id": LONG.id }),
    );
    assert!(body_of(whole).await.1.len() > LONG.bytes);
}
