//! The three flows of the architecture from end to end: real files, both real ports, a real database, and the audit
//! log of it all against the rules of docs/requirements.md.

mod crowd;
mod edits;
mod emptiness;
mod grants;
mod invariants;
mod kept;
mod matrix;
mod occurrences;
mod other_user;
mod queued;
mod refusals;
mod samples;
mod visit;
mod wrong_keys;

use serde_json::{Value, json};

use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;

/// The URL of the agent port.
fn url(app: &TestApp) -> String {
    format!("http://{}/mcp", app.agents)
}

/// A client with the key of a new agent.
async fn agent(app: &TestApp, name: &str, sectors: &[&str]) -> Client {
    Client::new(&url(app), Some(app.key_of(name, sectors).await))
}

/// The answer of a stateless call, which must succeed.
async fn answer(client: &Client, tool: &str, arguments: Value) -> Value {
    let (status, body) = json_of(client.modern_call(tool, arguments)).await;
    assert_eq!(
        (status, &body["result"]["isError"]),
        (200, &json!(false)),
        "{body}"
    );
    serde_json::from_str(body["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
}
