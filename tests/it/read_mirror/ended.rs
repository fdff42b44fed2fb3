//! The mirror's calls end with the grant under which they run, as on the agent port.

use actix_web::rt::spawn;
use nix::sys::socket::setsockopt;
use nix::sys::socket::sockopt::TcpMaxSeg;
use serde_json::{Value, json};
use sextant_actors::domain::OPERATOR;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use uuid::Uuid;

use super::call;
use crate::support::TestApp;
use crate::support::table_lock::TableLock;

/// The edits that end an agent's sessions, and the status of a call under the old key after each.
const EDITS: [(&str, u16); 4] = [
    ("sectors", 403),
    ("rotate", 403),
    ("revoke", 403),
    ("remove", 403),
];

async fn edit(app: &TestApp, edit: &str) -> Value {
    let edited = match edit {
        "sectors" => {
            let sectors = json!({ "sectors": ["home"] });
            app.amend_agent("claude", sectors).await
        }
        "rotate" => app.rotate_agent("claude").await,
        "revoke" => app.revoke_agent("claude").await,
        _ => app.remove_agent("claude").await,
    };
    edited.expect(200)
}

#[actix_web::test]
async fn r067_r070_every_edit_ends_the_mirrors_session_and_the_call_in_it() {
    for (act, status) in EDITS {
        let app = TestApp::start().await;
        let key = app.key_of("claude", &["finance", "home"]).await;
        let accounts = json!({ "target": "finance.accounts" });
        let held = TableLock::accounts(&app).await;
        let under_way = call(&app, "query", &accounts).bearer_auth(&key).send();
        let under_way = spawn(under_way);
        held.wait_for_calls(1).await;
        let sessions = app.sessions("?agent=claude").await;
        assert_eq!(
            (&sessions[0]["era"], &sessions[0]["via"]),
            (&json!("mirror"), &json!("read-mirror"))
        );

        let told = edit(&app, act).await;
        assert_eq!(told["sessionsEnded"], 1, "{act}");
        let cut = under_way.await.unwrap().unwrap();
        assert_eq!(cut.status(), 503, "{act}");
        let cut: Value = cut.json().await.unwrap();
        assert_eq!(
            cut,
            json!({ "error": "unavailable", "message": "grant changed, retry" }),
            "{act}"
        );
        held.release().await;
        let next = app
            .send(call(&app, "query", &accounts).bearer_auth(&key))
            .await;
        next.expect_problem(status, "forbidden", None);

        let rows = app.audit_rows(1).await;
        assert_eq!(
            (&rows[0]["tool"], &rows[0]["decision"], &rows[0]["outcome"]),
            (&json!("query"), &json!("allow"), &json!("error")),
            "{act}"
        );
    }
}

/// Longer than one answer may be.
const BODY_BYTES: usize = 2 * 1024 * 1024;
/// The reader's receive buffer. Its segments are small as well, so the kernel buffers little of an answer for it.
const READER_BUFFER_BYTES: u32 = 8 * 1024;
const READER_SEGMENT_BYTES: u32 = 536;

/// A connection over which the peer can send little ahead of what is read.
async fn narrow_connection(address: std::net::SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(READER_BUFFER_BYTES).unwrap();
    setsockopt(&socket, TcpMaxSeg, &READER_SEGMENT_BYTES).unwrap();
    socket.connect(address).await.unwrap()
}

async fn long_message(app: &TestApp) -> Uuid {
    let (post, _) = app.push_connection("mail.messages").await;
    let (id, post) = (Uuid::from_u128(7), post.parse::<Uuid>().unwrap());
    let insert = "INSERT INTO mail.messages (id, user_id, connection_id, source_id, body_text) VALUES ($1, $2, $3, 'x', $4)";
    let client = app.database.connect_as_superuser().await;
    let body = "long ".repeat(BODY_BYTES / 5);
    client
        .execute(insert, &[&id, &OPERATOR, &post, &body])
        .await
        .unwrap();
    id
}

#[actix_web::test]
async fn r504_an_answer_half_sent_is_cut_when_the_grant_is_edited() {
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["mail"]).await;
    let id = long_message(&app).await;
    let body = json!({ "target": "mail.messages", "id": id }).to_string();
    let mut reader = narrow_connection(app.address()).await;
    let request = format!(
        "POST /api/read/get_record HTTP/1.1\r\nHost: mirror\r\nAuthorization: Bearer {key}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    reader.write_all(request.as_bytes()).await.unwrap();
    // Its row says that it was served; its bytes wait for a client that does not read them.
    let rows = app.audit_rows(1).await;
    assert_eq!(rows[0]["outcome"], "ok");
    app.revoke_agent("claude").await.expect(200);
    let mut read = Vec::new();
    // The connection may end in a reset as well.
    let _ = reader.read_to_end(&mut read).await;
    let head = read.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4;
    let text = String::from_utf8_lossy(&read[..head]).to_lowercase();
    let length = text.split("content-length: ").nth(1).unwrap();
    let length: usize = length.split("\r\n").next().unwrap().parse().unwrap();
    assert!(length > BODY_BYTES / 4, "{text}");
    assert!(read.len() - head < length, "the whole answer came");
}
