//! The read mirror: `/api/read/<tool>` under an agent's key, compared with the same calls on the agent port.

mod calls;
mod ended;
mod keys;

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::support::TestApp;

/// A call of a tool, without a key.
fn call(app: &TestApp, tool: &str, arguments: &Value) -> RequestBuilder {
    app.request(Method::POST, &format!("/api/read/{tool}"))
        .json(arguments)
}
