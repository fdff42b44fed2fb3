//! Days and balances that the service derives: pushed over the real ingest port, queried over the real agent port.

mod balances;
mod bulk;
mod days;
mod random;
mod sleeps;
mod zone;

use serde_json::{Value, json};

use crate::mcp::support::{Client, json_of};
use crate::support::TestApp;

/// A push connection.
struct Device {
    id: String,
    secret: String,
}

impl Device {
    async fn of(app: &TestApp, target: &str) -> Self {
        let (id, secret) = app.push_connection(target).await;
        Self { id, secret }
    }

    /// Pushes a body that must be stored.
    async fn push(&self, app: &TestApp, body: Value) -> Value {
        app.push((&self.id, &self.secret), &body).await
    }

    async fn disconnect(&self, app: &TestApp) -> Value {
        app.disconnect(&self.id, json!({ "rows": "delete" }))
            .await
            .expect(200)
    }
}

/// An agent that may read every sector of these tests.
async fn agent(app: &TestApp) -> Client {
    let key = app.key_of("claude", &["health", "finance"]).await;
    Client::new(&format!("http://{}/mcp", app.agents), Some(key))
}

/// The rows of a table as objects, ordered by `by`.
async fn rows(client: &Client, target: &str, select: &[&str], by: &str) -> Vec<Value> {
    let arguments = json!({
        "target": target, "select": select, "order_by": [by], "limit": 1000, "budget": 25000, "format": "records",
    });
    let (status, body) = json_of(client.modern_call("query", arguments)).await;
    assert_eq!(
        (status, &body["result"]["isError"]),
        (200, &json!(false)),
        "{body}"
    );
    let text = body["result"]["content"][0]["text"].as_str().unwrap();
    let answer: Value = serde_json::from_str(text).unwrap();
    assert!(answer["next_cursor"].is_null(), "{answer}");
    let listed = answer
        .get("records")
        .or_else(|| answer.get("rows"))
        .cloned();
    listed
        .unwrap_or_default()
        .as_array()
        .cloned()
        .unwrap_or_default()
}

/// The days, with these fields.
async fn days(client: &Client, fields: &[&str]) -> Vec<Value> {
    let select: Vec<&str> = ["day"].into_iter().chain(fields.iter().copied()).collect();
    rows(client, "health.days", &select, "day").await
}

/// A sample of a metric in the metric's own unit.
fn sample(id: &str, metric: &str, value: f64, start_at: &str) -> Value {
    json!({ "id": id, "metric": metric, "value": value, "start_at": start_at })
}

/// The record with further members.
fn with(mut record: Value, more: Value) -> Value {
    let members = more.as_object().unwrap().clone();
    record.as_object_mut().unwrap().extend(members);
    record
}
