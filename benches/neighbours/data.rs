//! Bookings to query, and long mails to search: the same in each run.

use std::path::Path;

use serde_json::{Value, json};
use sextant::app::App;

use super::database;

/// A booking, and a mail whose answer is just shorter than the longest possible.
pub const SOME_ID: &str = "d0000000-0000-4000-8000-000000000500";
pub const LONG_ID: &str = "a0000000-0000-4000-8000-000000000001";

const FILL: &str = include_str!("fill.sql");

pub async fn fill(app: &App, home: &Path) {
    let finance = connection(app, "finance", "transactions").await;
    let mail = connection(app, "mail", "messages").await;
    let sql = FILL.replace("{finance}", &finance).replace("{mail}", &mail);
    let client = database::connect(home, "sextant").await;
    client.batch_execute(&sql).await.unwrap();
    // VACUUM cannot run in a transaction, and so not with other statements.
    client.batch_execute("VACUUM ANALYZE").await.unwrap();
}

/// The id of a new connection for a table.
async fn connection(app: &App, sector: &str, table: &str) -> String {
    let wanted = json!({"provider": "push", "sector": sector, "table": table, "label": table});
    let url = format!("http://{}/api/connections", app.console);
    let client = crate::http::builder().build().unwrap();
    let made = client.post(url).json(&wanted).send().await.unwrap();
    let made: Value = made.error_for_status().unwrap().json().await.unwrap();
    let id = made.pointer("/connections/0/id").and_then(Value::as_str);
    id.unwrap().to_owned()
}
