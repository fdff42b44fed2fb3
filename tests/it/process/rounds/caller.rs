//! An agent that calls tools without a pause, in one of the two eras, each call with an id of its own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use super::load::Reach;
use super::tally::{Fact, Tally};
use crate::mcp::support::client::{Client, modern_meta};

/// How long an answer waits for the journal's acknowledgement (r024).
const PATIENCE_OF_AN_ANSWER: Duration = Duration::from_millis(5);

const TOOLS: [(&str, &str); 3] = [
    (
        "query",
        r#"{"target":"finance.transactions","limit":3,"search":"coffee"}"#,
    ),
    ("describe_context", "{}"),
    ("list_actions", "{}"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    Session,
    Stateless,
}

impl Era {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Stateless => "stateless",
        }
    }
}

pub struct Caller {
    era: Era,
    key: String,
    /// The calls that were answered since the last kill of the service, in order: each ended before the next began.
    pub answered: Vec<Answered>,
}

/// A call that was answered.
#[derive(Clone, Debug)]
pub struct Answered {
    pub id: String,
    /// How long the answer took, as the agent measured it.
    took: Duration,
}

impl Answered {
    /// Whether its answer may have left without the journal's acknowledgement: no such answer leaves before the time
    /// for it is up.
    pub fn may_be_unjournaled(&self) -> bool {
        self.took >= PATIENCE_OF_AN_ANSWER
    }
}

impl Caller {
    pub const fn new(era: Era, key: String) -> Self {
        Self {
            era,
            key,
            answered: Vec::new(),
        }
    }

    pub async fn work(mut self, reach: Reach, tally: Arc<Tally>, round: u64) -> Self {
        self.answered.clear();
        let client = Client::new(&reach.agents, Some(self.key.clone()));
        let session = match self.era {
            Era::Session => initialize(&reach, &self.key)
                .await
                .ok()
                .and_then(session_of),
            Era::Stateless => None,
        };
        for call in 0.. {
            let (tool, arguments) = TOOLS[call % TOOLS.len()];
            let id = format!("{round}-{}-{call}", self.era.name());
            let params = json!({ "name": tool, "arguments": serde_json::from_str::<Value>(arguments).unwrap() });
            let request = match &session {
                Some(session) => client
                    .post(message(&id, params))
                    .header("mcp-session-id", session),
                None => stateless(&client, &id, tool, params),
            };
            let sent = Instant::now();
            match answered(request).await {
                Ok((200, _)) => {
                    let took = sent.elapsed();
                    self.answered.push(Answered { id, took });
                    tally.count(Fact::CallAnswered);
                }
                Ok((status, text)) => panic!("{id} is answered {status}: {text}"),
                Err(_) => {
                    tally.cut();
                    return self;
                }
            }
            if tally.is_over() {
                return self;
            }
        }
        self
    }
}

fn message(id: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

fn stateless(client: &Client, id: &str, tool: &str, mut params: Value) -> RequestBuilder {
    params["_meta"] = modern_meta();
    client
        .post(message(id, params))
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool)
}

async fn answered(request: RequestBuilder) -> reqwest::Result<(u16, String)> {
    let answer = request.send().await?;
    let status = answer.status().as_u16();
    Ok((status, answer.text().await?))
}

fn session_of(opened: Response) -> Option<String> {
    let id = opened.headers().get("mcp-session-id")?;
    Some(id.to_str().unwrap().to_owned())
}

/// The first request of a session under this key.
pub async fn initialize(reach: &Reach, key: &str) -> reqwest::Result<Response> {
    let client = Client::new(&reach.agents, Some(key.to_owned()));
    client.initialize("2025-11-25").send().await
}

/// The sectors that the agent may see; `None` when it is refused.
pub async fn stateless_sectors(reach: &Reach, key: &str) -> Option<Value> {
    let client = Client::new(&reach.agents, Some(key.to_owned()));
    let call = client.modern_call("describe_context", json!({}));
    let (_, text) = answered(call).await.unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap();
    let text = answer["result"]["content"][0]["text"].as_str()?;
    serde_json::from_str::<Value>(text)
        .ok()?
        .get("sectors")
        .cloned()
}
