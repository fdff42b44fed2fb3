//! What an agent has alive in one version of the protocol: a session, an open stream, a call in flight, and a next
//! request.

use actix_web::rt::{spawn, task::JoinHandle};
use futures_util::FutureExt as _;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::mcp::support::{Client, Events, body_of, json_of, soon};

/// The versions of the protocol, by their month.
#[derive(Clone, Copy, Debug)]
pub enum Version {
    June,
    November,
    July,
}

impl Version {
    /// The version's name, if it is one with sessions.
    pub fn of_sessions(self) -> Option<&'static str> {
        match self {
            Self::June => Some("2025-06-18"),
            Self::November => Some("2025-11-25"),
            Self::July => None,
        }
    }
}

/// A call under way.
enum Call {
    /// In a session: a stream of its own.
    Stream(Events),
    /// Stateless: an answer that is awaited.
    Answer(JoinHandle<(u16, Value)>),
}

pub struct Alive {
    session: Option<(String, &'static str)>,
    stream: Events,
    call: Option<Call>,
}

/// A new session of this version.
pub async fn session(client: &Client, version: &str) -> String {
    let opened = client.initialize(version).send().await.unwrap();
    assert_eq!(opened.status(), 200);
    let id = opened.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned();
    let agreed = opened.text().await.unwrap();
    assert!(agreed.contains(version), "{agreed}");
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let accepted = client.post(ready).header("mcp-session-id", &id);
    assert_eq!(
        body_of(accepted.header("mcp-protocol-version", version))
            .await
            .0,
        202
    );
    id
}

impl Alive {
    /// Opens all of it; the call waits for a lock on the accounts.
    pub async fn of(client: &Client, version: Version) -> Self {
        let mut alive = Self::with_stream(client, version).await;
        let call = alive.request(client, "query", json!({ "target": "finance.accounts" }));
        alive.call = Some(match alive.session {
            Some(_) => Call::Stream(Events::open(call).await),
            None => Call::Answer(spawn(json_of(call))),
        });
        alive
    }

    /// Opens a session and its stream.
    pub async fn with_stream(client: &Client, version: Version) -> Self {
        let Some(name) = version.of_sessions() else {
            let listen = client.modern("subscriptions/listen", json!({ "notifications": {} }));
            let mut stream = Events::open(listen).await;
            let first = stream.next().await.unwrap();
            assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
            return Self {
                session: None,
                stream,
                call: None,
            };
        };
        let id = session(client, name).await;
        let listen = client.listen(&id).header("mcp-protocol-version", name);
        Self {
            stream: Events::open(listen).await,
            session: Some((id, name)),
            call: None,
        }
    }

    fn request(&self, client: &Client, tool: &str, arguments: Value) -> RequestBuilder {
        match &self.session {
            Some((id, version)) => client
                .session_call(id, tool, arguments)
                .header("mcp-protocol-version", *version),
            None => client.modern_call(tool, arguments),
        }
    }

    /// Asserts that the stream has ended: a session's stream without more, a listen stream with its result.
    pub async fn expect_stream_end(&mut self, cell: &str) {
        if self.session.is_none() {
            let last = self.stream.next().await;
            let last = last.unwrap_or_else(|| panic!("{cell}: no final result"));
            assert_eq!(last["result"]["resultType"], "complete", "{cell}: {last}");
        }
        assert_eq!(self.stream.next().await, None, "{cell}");
    }

    /// Asserts that the call ended with an error that gives the reason, and never with the data.
    pub async fn expect_call_end(&mut self, cell: &str) {
        let last = match self.call.take().unwrap() {
            Call::Stream(mut events) => {
                let last = events.next().await.unwrap_or_default();
                assert_eq!(events.next().await, None, "{cell}");
                last
            }
            Call::Answer(answer) => {
                let (status, last) = soon(cell, answer).await.unwrap();
                assert_eq!(status, 200, "{cell}");
                last
            }
        };
        assert_eq!(last["error"]["code"], -31001, "{cell}: {last}");
        assert_eq!(last["error"]["message"], "grant changed, retry", "{cell}");
    }

    pub fn stream_is_open(&mut self, cell: &str) {
        let next = self.stream.next().now_or_never();
        assert!(next.is_none(), "{cell}: {next:?}");
    }

    pub async fn call_answered(&mut self, cell: &str) {
        let answer = match self.call.take().unwrap() {
            Call::Stream(mut events) => events.next().await.unwrap_or_default(),
            Call::Answer(answer) => soon(cell, answer).await.unwrap().1,
        };
        assert_eq!(answer["result"]["isError"], false, "{cell}: {answer}");
    }

    /// The status of one more request.
    pub async fn next_request(&self, client: &Client) -> u16 {
        let request = self.request(client, "list_actions", json!({}));
        body_of(request).await.0
    }
}
