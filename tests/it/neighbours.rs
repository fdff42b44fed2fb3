//! One agent against the others: what it may have in progress at one time, and that its neighbours and the operator
//! can go on.

mod abandoned;
mod answers;
mod cheap;
mod costly;
mod pipes;
mod slow;
mod unread;

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::support::TestApp;

/// A call of a tool over the read mirror.
fn call(app: &TestApp, key: &str, tool: &str, arguments: &Value) -> RequestBuilder {
    let path = format!("/api/read/{tool}");
    app.request(Method::POST, &path)
        .bearer_auth(key)
        .json(arguments)
}

/// The audit rows of this agent's calls with this outcome.
fn outcomes<'a>(rows: &'a [Value], agent: &str, outcome: &str) -> Vec<&'a Value> {
    let is_one = |row: &&Value| {
        row["agent_id"] == agent && row["decision"] == "allow" && row["outcome"] == outcome
    };
    rows.iter().filter(is_one).collect()
}
