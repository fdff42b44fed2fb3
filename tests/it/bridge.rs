//! OAuth for agents elsewhere: a client registers, a person shows an agent's key, and the client is served with tokens for as long as the
//! key is. By plain HTTP here, as a proxy passes it on; with the official clients behind TLS in `mcp::clients`.

mod abuse;
mod client;
mod clients;
mod conformance;
mod documents;
mod ended;
mod metadata;
mod page;
mod rate;
mod refresh;
mod sign_in;

pub use self::client::{HOST, RemoteClient, Tokens};

use serde_json::json;

use crate::support::TestApp;

/// A service with a public address, and the key of an agent that may sign in.
async fn world() -> (TestApp, String) {
    let app = TestApp::start().await;
    crate::exposure::publish(&app, crate::exposure::PUBLIC).await;
    let key = key_of(&app, "claude", &["mail"]).await;
    (app, key)
}

/// An agent with a deadline, without which no key signs in.
async fn key_of(app: &TestApp, name: &str, sectors: &[&str]) -> String {
    let agent = json!({ "name": name, "sectors": sectors, "expiresInDays": 30 });
    let made = app.create_agent(agent).await.expect(201);
    made["key"].as_str().unwrap().to_owned()
}
