//! Calls of every reading tool, valid and invalid, and their answers without the parts that differ between two
//! readings.

use serde_json::{Value, json};

use super::TestApp;

/// The sectors that the agents of these tests hold. Some of the calls ask for others.
pub const GRANTED: [&str; 3] = ["finance", "mail", "calendar"];

/// A service with the sample household, and how many audit rows loading it has left, all of them already in the
/// database.
pub async fn household() -> (TestApp, usize) {
    let app = TestApp::start().await;
    let loaded = app.post("/api/sample", json!({})).await.expect(201);
    let rows = loaded["connections"].as_array().unwrap().len();
    assert_eq!(app.audit_rows(rows).await.len(), rows);
    (app, rows)
}

/// The id of a message of the sample household.
pub async fn a_message(app: &TestApp) -> String {
    let asked = json!({ "target": "messages", "select": ["id"], "limit": 1 });
    let answer = app.post("/api/data/mail", asked).await.expect(200);
    answer["rows"][0][0].as_str().unwrap().to_owned()
}

/// Calls by an agent that holds [`GRANTED`]: answered, faulty and denied ones; `mail` is the id of a message.
pub fn calls(mail: &str) -> Vec<(&'static str, Value)> {
    let nobody = "00000000-0000-0000-0000-000000000000";
    vec![
        ("describe_context", json!({})),
        ("describe_context", json!({ "verbose": true })),
        ("get_schema", json!({})),
        ("get_schema", json!({ "target": "finance.transactions" })),
        ("get_schema", json!({ "target": "finance.transaction" })),
        ("get_schema", json!({ "target": "health" })),
        ("get_schema", json!({ "target": "stars" })),
        (
            "query",
            json!({ "target": "finance.transactions", "limit": 3, "count": true }),
        ),
        (
            "query",
            json!({ "target": "mail.messages", "select": ["subject", "body_text"], "limit": 2, "format": "records" }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "group_by": ["category"], "aggregate": { "n": "count" } }),
        ),
        (
            "query",
            json!({ "target": "calendar.events", "where": { "start_at": { "lt": "1950-01-01" } } }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "select": ["ammount"] }),
        ),
        (
            "query",
            json!({ "target": "finance.transactions", "limit": 0 }),
        ),
        ("query", json!({ "target": "home.entities" })),
        ("query", json!({ "target": "'; DROP TABLE agents; --" })),
        ("query", json!({})),
        (
            "get_record",
            json!({ "target": "mail.messages", "id": mail }),
        ),
        (
            "get_record",
            json!({ "target": "mail", "id": mail, "raw": true }),
        ),
        (
            "get_record",
            json!({ "target": "mail.messages", "id": nobody }),
        ),
        (
            "get_record",
            json!({ "target": "mail.messages", "id": "7" }),
        ),
        (
            "get_record",
            json!({ "target": "health.days", "id": nobody }),
        ),
    ]
}

/// An answer without the present time, the cursors (they carry the time) and the nonces of fences.
pub fn without_times(answer: &str) -> Value {
    match serde_json::from_str(answer) {
        Ok(mut answer) => {
            settle(&mut answer);
            answer
        }
        Err(_) => answer.into(),
    }
}

fn settle(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for moment in ["now", "next_cursor", "change_cursor"] {
                fields.remove(moment);
            }
            fields.values_mut().for_each(settle);
        }
        Value::Array(items) => items.iter_mut().for_each(settle),
        Value::String(text) => {
            let fenced = text.strip_prefix("<<<data ");
            if let Some((nonce, _)) = fenced.and_then(|rest| rest.split_once('\n')) {
                *text = text.replace(nonce, "nonce");
            }
        }
        _ => {}
    }
}
