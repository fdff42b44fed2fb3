//! Remote access: the public address, and who is served by it. What agents elsewhere do there is `bridge`.

mod host;
mod set;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::support::stateless_call::stateless_call;
use crate::support::{TestApp, http};

/// The address that is published here.
pub const PUBLIC: &str = "https://box.example";

/// Publishes `url`, and returns what is answered.
pub async fn publish(app: &TestApp, url: &str) -> Value {
    let body = json!({ "publicUrl": url });
    let request = app.request(Method::PUT, "/api/exposure").json(&body);
    app.send(request).await.expect(200)
}

/// Takes the address back.
pub async fn clear(app: &TestApp) -> Value {
    let request = app.request(Method::DELETE, "/api/exposure");
    app.send(request).await.expect(200)
}

/// A request at the agent port that names this host, as a proxy passes it on.
pub fn by_host(app: &TestApp, method: Method, host: &str, path: &str) -> RequestBuilder {
    let url = format!("http://{}{path}", app.agents);
    http::builder()
        .build()
        .unwrap()
        .request(method, url)
        .header("host", host)
}

/// A stateless call with this key or token.
pub fn call(app: &TestApp, host: &str, bearer: &str) -> RequestBuilder {
    stateless_call(by_host(app, Method::POST, host, "/mcp"), bearer)
}

/// The status of an answer at the agent port.
pub async fn status_of(request: RequestBuilder) -> u16 {
    request.send().await.unwrap().status().as_u16()
}
