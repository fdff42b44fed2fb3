//! What the fuzzer has kept, sent to both ports.

use std::sync::Arc;

use actix_web::HttpMessage as _;
use reqwest::Method;
use sextant::http::mcp::tools;
use sextant_actors::domain::{
    AnswerHold, Call, Caller, Decision, EscapedText, Outcome, Reply, Sector, Served,
};
use sextant_actors::limits::TreeLimits;
use sextant_actors::ports::{PortFuture, ToolCalls};

use super::message::{WholeAnswer, whole};
use crate::mcp::fuzzed::{corpus, head_and_body};
use crate::mcp::support::client::send;
use crate::mcp::support::{Client, Port};

/// The headers that decide on an answer; host and framing are the client's own, and the key is the agent's.
const SENT: [&str; 4] = [
    "accept",
    "content-encoding",
    "content-type",
    "last-event-id",
];
/// At least so many of the inputs are calls that are served without rmcp.
const DIRECT_MIN: u64 = 20;

/// Answers every call with its arguments.
struct Echo;

impl ToolCalls for Echo {
    fn sector_of(&self, _: &Call) -> Option<Sector> {
        None
    }

    fn serve(&self, _: Caller, call: Call) -> PortFuture<Served> {
        let served = Served {
            decision: Decision::Allow,
            outcome: Some(Outcome::Ok),
            sector: None,
            count: None,
            reply: Reply::Answer(EscapedText::of(&call.arguments.to_string())),
            hold: AnswerHold::default(),
        };
        Box::pin(async move { served })
    }
}

/// A POST as the fuzzer has kept it.
struct Post {
    name: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
}

/// Those of the corpus. The reader of heads needs a runtime of its own, so that it has a thread of its own.
fn posts() -> Vec<Post> {
    let read = || corpus().into_iter().filter_map(post).collect();
    std::thread::spawn(read).join().unwrap()
}

fn post((name, input): (String, Vec<u8>)) -> Option<Post> {
    let (request, body) = head_and_body(&input)?;
    let headers = request.headers().iter().filter(|(name, _)| {
        let name = name.as_str();
        name.starts_with("mcp-") || SENT.contains(&name)
    });
    let headers = headers.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
    (request.method().as_str() == "POST").then(|| Post {
        name,
        headers: headers.collect(),
        body: body.to_vec(),
    })
}

impl Post {
    /// The answer; of a stream, which may not end, the head alone.
    async fn answer(&self, client: &Client) -> WholeAnswer {
        let mut sent = client.bare(Method::POST).body(self.body.clone());
        for (name, value) in &self.headers {
            sent = sent.header(name, value.as_slice());
        }
        let answer = send(sent).await;
        let kind = answer.headers().get("content-type");
        if kind.is_some_and(|kind| kind == "text/event-stream") {
            return (answer.status().as_u16(), Vec::new(), String::new());
        }
        let (status, mut headers, body) = whole(answer).await;
        headers.retain(|(name, _)| name != "mcp-session-id");
        (status, headers, body)
    }
}

#[actix_web::test]
async fn whatever_the_fuzzer_has_kept_is_answered_as_by_rmcp() {
    let around = |_| Arc::new(Echo) as Arc<dyn ToolCalls>;
    let port = Port::start_offering(tools::all(), TreeLimits::default(), around).await;
    let rmcp = port.passing_to_rmcp();
    let agent = port.agent("claude", &["finance", "health"]).await;
    let other = Client::new(&rmcp.url, agent.key.clone());
    for post in posts() {
        let direct = post.answer(&agent).await;
        assert_eq!(direct, post.answer(&other).await, "{}", post.name);
    }
    let direct = port.direct_calls.count();
    assert!(direct >= DIRECT_MIN, "{direct}");
    rmcp.stop().await;
    port.stop().await;
}
