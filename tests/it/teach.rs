//! What an agent learns from the service itself, over the agent port and on the sample household.
//!
//! | file | what it proves |
//! |---|---|
//! | `schema` | the answers of `get_schema` are short, true and always the same, and their examples run as printed |
//! | `repairs` | the call that an error suggests runs |
//! | `repairs/wrong` | valid calls, and the mistakes that agents make in them |
//! | `asking` | the examples of docs/asking.md run |
//! | `pushing` | what docs/pushing.md says about pushing by one's own program is true |

mod asking;
mod pushing;
mod repairs;
mod schema;

use serde_json::{Value, json};

use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;

const SECTORS: [&str; 6] = ["finance", "mail", "calendar", "contacts", "health", "home"];

/// An agent that may read everything.
async fn agent(app: &TestApp) -> Client {
    let url = format!("http://{}/mcp", app.agents);
    Client::new(&url, Some(app.key_of("claude", &SECTORS).await))
}

async fn with_sample() -> TestApp {
    let app = TestApp::start().await;
    app.post("/api/sample", json!({})).await.expect(201);
    app
}

/// The text of an answer, or of an error.
async fn reply_of(client: &Client, tool: &str, arguments: &Value) -> Result<String, String> {
    let (status, body) = json_of(client.modern_call(tool, arguments.clone())).await;
    assert_eq!(status, 200, "{body}");
    let text = body["result"]["content"][0]["text"].as_str();
    let text = text
        .unwrap_or_else(|| panic!("{arguments}: {body}"))
        .to_owned();
    match body["result"]["isError"] == true {
        true => Err(text),
        false => Ok(text),
    }
}

async fn answer(client: &Client, tool: &str, arguments: &Value) -> Value {
    let text = reply_of(client, tool, arguments).await;
    serde_json::from_str(&text.unwrap_or_else(|fault| panic!("{arguments}: {fault}"))).unwrap()
}
