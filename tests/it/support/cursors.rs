//! Change cursors that nothing is behind any more.

use serde_json::{Value, json};

use super::TestApp;
use super::eventually::eventually;

/// A cursor of a table that has passed everything that has happened to it. A cursor stays behind what any transaction under way may still
/// change, those of other tests on the same server among them.
pub async fn settled(app: &TestApp, target: &str) -> Value {
    let (sector, table) = target.split_once('.').unwrap();
    let path = format!("/api/data/{sector}");
    let ask = async |since: &Value| {
        let asked = json!({"target": table, "limit": 1000, "changed_since": since});
        app.post(&path, asked).await.expect(200)
    };
    let mut cursor = ask(&Value::Null).await["change_cursor"].clone();
    eventually("the cursor has passed everything", async || {
        let told = ask(&cursor).await;
        cursor = told["change_cursor"].clone();
        told["rows"] == json!([]) && told["deleted"] == json!([])
    })
    .await;
    cursor
}
