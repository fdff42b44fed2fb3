//! Flow 3: the operator edits a grant while sessions of both eras are live (docs/asking.md#when-a-grant-changes).

use serde_json::{Value, json};

use super::{agent, url};
use crate::mcp::support::{Client, body_of, json_of};
use crate::support::TestApp;
use crate::support::clients::{Conversation, python};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    Rotate,
    Sectors,
    Deadline,
    Revoke,
    Remove,
}

impl Edit {
    /// Makes the edit, of the agent `claude`.
    pub async fn make(self, app: &TestApp) -> Value {
        let answer = match self {
            Self::Rotate => app.rotate_agent("claude").await,
            Self::Sectors => {
                app.amend_agent("claude", json!({ "sectors": ["home"] }))
                    .await
            }
            Self::Deadline => {
                app.amend_agent("claude", json!({ "expiresInDays": 3 }))
                    .await
            }
            Self::Revoke => app.revoke_agent("claude").await,
            Self::Remove => app.remove_agent("claude").await,
        };
        answer.expect(200)
    }

    /// Whether the key stays valid.
    pub fn keeps_the_key(self) -> bool {
        matches!(self, Self::Sectors | Self::Deadline)
    }

    /// The sectors that the agent may read afterwards.
    pub fn sectors(self) -> Value {
        match self {
            Self::Sectors => json!(["home"]),
            _ => json!(["finance", "home"]),
        }
    }
}

/// Opens a session of each era; returns the first one's id.
async fn live(client: &Client) -> String {
    let session = client.session().await;
    let (status, _) = body_of(client.modern_call("describe_context", json!({}))).await;
    assert_eq!(status, 200);
    session
}

async fn in_session(client: &Client, session: &str) -> u16 {
    body_of(client.session_call(session, "describe_context", json!({})))
        .await
        .0
}

#[actix_web::test]
async fn r067_a_rotated_key_opens_what_the_old_one_no_longer_does() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["finance"]).await;
    let session = live(&client).await;
    let key = Edit::Rotate.make(&app).await["key"].clone();
    let renewed = Client::new(&url(&app), key.as_str().map(str::to_owned));
    // The old session stays ended; a new one can be opened.
    assert_eq!(in_session(&renewed, &session).await, 404);
    let session = renewed.session().await;
    assert_eq!(in_session(&renewed, &session).await, 200);
}

#[actix_web::test]
async fn r067_python_clients_of_both_eras_notice_an_edit_and_a_revocation() {
    if !python("auto").is_installed("r067_python_clients") {
        return;
    }
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["finance"]).await;
    let other = app.key_of("chatgpt", &["finance"]).await;
    let mut legacy = python("legacy").connect(&url(&app), &key).await;
    let mut modern = python("auto").connect(&url(&app), &key).await;
    let mut bystander = python("legacy").connect(&url(&app), &other).await;
    for client in [&mut legacy, &mut modern, &mut bystander] {
        assert_eq!(sectors(client).await, json!(["finance"]));
    }
    assert_eq!(Edit::Sectors.make(&app).await["sessionsEnded"], 2);
    let cut = legacy.call("describe_context", &json!({})).await;
    assert!(cut["code"].is_i64() || cut["failed"].is_string(), "{cut}");
    assert_eq!(sectors(&mut modern).await, json!(["home"]));
    assert_eq!(sectors(&mut bystander).await, json!(["finance"]));

    let mut legacy = python("legacy").connect(&url(&app), &key).await;
    assert_eq!(sectors(&mut legacy).await, json!(["home"]));
    assert_eq!(Edit::Revoke.make(&app).await["sessionsEnded"], 2);
    for client in [&mut legacy, &mut modern] {
        let refused = client.call("describe_context", &json!({})).await;
        assert!(
            refused["code"].is_i64() || refused["failed"].is_string(),
            "{refused}"
        );
    }
    assert_eq!(sectors(&mut bystander).await, json!(["finance"]));
}

async fn sectors(client: &mut Conversation) -> Value {
    let seen = client.call("describe_context", &json!({})).await;
    let text = seen["text"][0]
        .as_str()
        .unwrap_or_else(|| panic!("{seen}; {}", client.greeting));
    serde_json::from_str::<Value>(text).unwrap()["sectors"].clone()
}

#[actix_web::test]
async fn r066_r065_the_next_call_in_a_live_session_is_judged_by_the_grant_alone() {
    let app = TestApp::start().await;
    let client = agent(&app, "claude", &["finance", "travel"]).await;
    for (target, text) in [
        ("home.entities", "access denied: home"),
        ("travel.trips", "access denied: travel"),
    ] {
        let call = client.modern_call("query", json!({ "target": target }));
        let (_, body) = json_of(call).await;
        assert_eq!(body["result"]["content"][0]["text"], text, "{body}");
    }
}
