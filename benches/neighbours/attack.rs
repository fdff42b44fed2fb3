//! How an agent with a valid key disturbs the others. A new attack is an entry of [`Attack::ALL`] and its work.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use sextant::app::App;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::{interval, timeout};

use super::data::LONG_ID;

/// Concurrent clients.
const COSTLY_CLIENTS: usize = 16;
const LEAVING_CLIENTS: usize = 16;
const UNREAD_CLIENTS: usize = 120;
const ENDING_CLIENTS: usize = 4;
const IDLE_CLIENTS: usize = 32;
/// Long answers that are queued under each key before it is replaced.
const QUEUED_ANSWERS: usize = 8;
/// Connections that each client leaves idle: together twice as many as the Console port accepts.
const IDLE_CONNECTIONS: usize = 64;
/// How long a client waits that leaves before it is answered.
const PATIENCE: Duration = Duration::from_millis(2);
/// How often each key is replaced.
const ENDED_EVERY: Duration = Duration::from_secs(1);
/// How often each client makes a request: together some 360 times a second.
const ASKED_EVERY: Duration = Duration::from_millis(45);

#[derive(Clone, Copy)]
pub enum Attack {
    /// Sixteen clients, each of which makes the most costly query allowed, again and again.
    CostlyQuestions,
    /// Calls, cheap and costly, that are abandoned before they are answered.
    AbandonedCalls,
    /// Long answers that nobody reads.
    UnreadAnswers,
    /// Keys that are replaced while long answers under them are queued.
    EndedGrants,
    /// More idle connections than the Console port accepts, opened again and again.
    IdleConnections,
}

/// The work of one client of an attack, given its number.
type Work = fn(usize, Port) -> JoinHandle<()>;

/// A running attack, on threads of its own, so that the measured agent waits for the service alone.
pub struct UnderWay(Runtime);

impl Attack {
    pub const ALL: [Self; 5] = [
        Self::CostlyQuestions,
        Self::AbandonedCalls,
        Self::UnreadAnswers,
        Self::EndedGrants,
        Self::IdleConnections,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::CostlyQuestions => "costly questions",
            Self::AbandonedCalls => "abandoned calls",
            Self::UnreadAnswers => "unread answers",
            Self::EndedGrants => "ended grants",
            Self::IdleConnections => "idle connections",
        }
    }

    pub async fn begin(self, app: &App) -> UnderWay {
        let key = key(app, "hog").await;
        let (clients, work): (usize, Work) = match self {
            Self::CostlyQuestions => (COSTLY_CLIENTS, |_, port| tokio::spawn(costly(port))),
            Self::AbandonedCalls => (LEAVING_CLIENTS, |place, port| {
                tokio::spawn(leaving(place, port))
            }),
            Self::UnreadAnswers => (UNREAD_CLIENTS, |_, port| tokio::spawn(unread(port))),
            Self::EndedGrants => (ENDING_CLIENTS, |place, port| {
                tokio::spawn(ending(place, port))
            }),
            Self::IdleConnections => (IDLE_CLIENTS, |_, port| tokio::spawn(idle(port))),
        };
        let runtime = Runtime::new().unwrap();
        let _entered = runtime.enter();
        for place in 0..clients {
            work(place, Port::of(app, key.clone()));
        }
        UnderWay(runtime)
    }
}

impl UnderWay {
    /// Ends it, and waits until nothing of it is left in the service.
    pub async fn end(self, app: &App) {
        self.0.shutdown_background();
        let url = format!("http://{}/api/agents/hog/revoke", app.console);
        let client = crate::http::builder().build().unwrap();
        let revoked = client.post(url).json(&json!({})).send().await;
        revoked.unwrap().error_for_status().unwrap();
    }
}

/// Just below the cost limit of a query, and without a single hit.
fn costly_question() -> Value {
    let words =
        (0..15).map(|word| json!({ "body_text": { "contains": format!("nowhere {word}") } }));
    let bodies: Vec<Value> = words.collect();
    json!({ "target": "mail.messages", "where": { "or": bodies }, "count": true })
}

async fn costly(port: Port) {
    let question = costly_question();
    loop {
        let _refused_or_not = port.call("query", &question).send().await;
    }
}

async fn leaving(place: usize, port: Port) {
    let question = match place % 2 {
        0 => json!({ "target": "mail.messages" }),
        _ => costly_question(),
    };
    let mut turn = interval(ASKED_EVERY);
    loop {
        turn.tick().await;
        let _left = timeout(PATIENCE, port.call("query", &question).send()).await;
    }
}

async fn unread(port: Port) {
    let wanted = json!({ "target": "mail.messages", "id": LONG_ID });
    // The head is read; the body is left unread until the client ends.
    let _unread = port.call("get_record", &wanted).send().await;
    std::future::pending().await
}

async fn ending(place: usize, mut port: Port) {
    let wanted = json!({ "target": "mail.messages", "id": LONG_ID });
    let mut turn = interval(ENDED_EVERY);
    loop {
        turn.tick().await;
        // Under the same name it replaces the earlier key, which ends what is in progress.
        port.key = key_at(port.console, &format!("ended-{place}")).await;
        let asked = (0..QUEUED_ANSWERS).map(|_| port.call("get_record", &wanted).send());
        let _queued = join_all(asked).await;
    }
}

async fn idle(port: Port) {
    let mut open = VecDeque::new();
    loop {
        open.extend(TcpStream::connect(port.console).await.ok());
        if open.len() > IDLE_CONNECTIONS {
            open.pop_front();
        }
    }
}

/// A client of the agent port, with connections of its own.
pub struct Port {
    http: reqwest::Client,
    url: String,
    console: SocketAddr,
    key: String,
}

impl Port {
    pub fn of(app: &App, key: String) -> Self {
        Self {
            http: crate::http::builder().build().unwrap(),
            url: format!("http://{}/mcp", app.agents),
            console: app.console,
            key,
        }
    }

    /// A stateless call of a tool.
    pub fn call(&self, tool: &str, arguments: &Value) -> RequestBuilder {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "neighbour", "version": "1" },
        });
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let request = self.http.post(&self.url).bearer_auth(&self.key);
        request
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", tool)
            .json(&message)
    }
}

/// A new key, also where the agent had one before.
pub async fn key(app: &App, name: &str) -> String {
    key_at(app.console, name).await
}

async fn key_at(console: SocketAddr, name: &str) -> String {
    let wanted = json!({ "name": name, "sectors": ["finance", "mail"] });
    let url = format!("http://{console}/api/agents");
    let client = crate::http::builder().build().unwrap();
    let made = client.post(url).json(&wanted).send().await.unwrap();
    let made: Value = made.error_for_status().unwrap().json().await.unwrap();
    made.get("key").and_then(Value::as_str).unwrap().to_owned()
}
