//! Pushes through the real port into a real database.

mod bodies;
mod calendar;
mod names;
mod namesakes;
mod near_misses;
mod outcomes;
mod pending;
mod plans;
mod records;
mod references;
pub mod refusals;
mod slow;
mod statistics;
mod texts;
mod twice;
mod values;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::app::Answer;

/// A push connection.
struct Device<'a> {
    app: &'a TestApp,
    id: String,
    secret: String,
}

impl<'a> Device<'a> {
    async fn of(app: &'a TestApp, target: &str) -> Self {
        let (id, secret) = app.push_connection(target).await;
        Self { app, id, secret }
    }

    fn path(&self) -> String {
        format!("/api/ingest/{}", self.id)
    }

    async fn send(&self, query: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
        let mut request = self
            .app
            .request(Method::POST, &format!("{}{query}", self.path()))
            .bearer_auth(&self.secret);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.app.send(request.body(body)).await
    }

    async fn push(&self, body: Value) -> Answer {
        self.send(
            "",
            &[("content-type", "application/json")],
            body.to_string().into_bytes(),
        )
        .await
    }

    async fn push_partial(&self, body: Value) -> Answer {
        self.send(
            "?partial=true",
            &[("content-type", "application/json")],
            body.to_string().into_bytes(),
        )
        .await
    }

    async fn push_lines(&self, lines: &str) -> Answer {
        self.send(
            "",
            &[("content-type", "application/x-ndjson")],
            lines.as_bytes().to_vec(),
        )
        .await
    }

    /// Pushes records that must all be stored.
    async fn store(&self, records: Value) -> Value {
        self.push(json!({ "records": records })).await.expect(200)
    }
}

/// The counts in the answer to a push.
fn counts(answer: &Value) -> [u64; 4] {
    ["inserted", "updated", "unchanged", "deleted"].map(|name| answer[name].as_u64().unwrap())
}

/// All rows of a statement's result, as JSON.
async fn rows(app: &TestApp, statement: &str) -> Vec<Value> {
    app.database.rows(statement).await
}

fn coffee(id: &str, amount: f64) -> Value {
    json!({ "id": id, "amount": amount, "currency": "EUR", "booked_on": "2026-03-01", "description": "coffee" })
}
