//! Erasing: what is deleted, what stays, what the audit log says, and what happens to requests that come meanwhile.

mod during;
mod faults;
mod gone;
mod told;

use serde_json::{Value, json};

use crate::support::TestApp;

async fn erase(app: &TestApp, scope: Value) -> Value {
    app.post("/api/erase", scope).await.expect(200)
}

async fn preview(app: &TestApp, scope: Value) -> Value {
    app.post("/api/erase/preview", scope).await.expect(200)
}

fn of_connection(id: &str) -> Value {
    json!({ "scope": "connection", "connectionId": id })
}

async fn count(app: &TestApp, statement: &str) -> i64 {
    let client = app.database.connect().await;
    client.query_one(statement, &[]).await.unwrap().get(0)
}

/// The audit rows of erases, oldest first, once there are at least `least`.
async fn acts(app: &TestApp, least: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    crate::support::eventually::eventually("the erases are recorded", async || {
        let page = app.audit("?tool=erase&limit=500").await.expect(200);
        rows = page["rows"].as_array().unwrap().clone();
        rows.len() >= least
    })
    .await;
    rows.reverse();
    rows
}
