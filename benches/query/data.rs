//! Bookings and mails over three years, equally many of both: the same in each run.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sextant::app::App;
use tokio_postgres::Client;

use super::database;

/// A booking that always exists.
pub const SOME_ID: &str = "d0000000-0000-4000-8000-000000000500";
/// Bookings that change before the changes are requested.
const CHANGED: usize = 100;

const GROW: &str = include_str!("grow.sql");
const CHANGE: &str = include_str!("change.sql");

/// The stored rows, and what is needed to add more.
pub struct Data {
    client: Client,
    home: PathBuf,
    connections: [String; 2],
    rows: usize,
}

impl Data {
    pub async fn open(app: &App, home: &Path) -> Self {
        let connections = [
            connection(app, "finance", "transactions").await,
            connection(app, "mail", "messages").await,
        ];
        Self {
            client: database::connect(home, "sextant").await,
            home: home.to_owned(),
            connections,
            rows: 0,
        }
    }

    /// A connection as the role of agents' reads.
    pub async fn reader(&self) -> Client {
        database::connect(&self.home, "sextant_reader").await
    }

    /// Adds rows until there are this many of each.
    pub async fn grow_to(&mut self, rows: usize) {
        let [finance, mail] = &self.connections;
        let sql = GROW
            .replace("{finance}", finance)
            .replace("{mail}", mail)
            .replace("{first}", &(self.rows + 1).to_string())
            .replace("{last}", &rows.to_string());
        self.client.batch_execute(&sql).await.unwrap();
        // VACUUM cannot run in a transaction, and so not with other statements.
        self.client.batch_execute("VACUUM ANALYZE").await.unwrap();
        self.rows = rows;
    }

    /// Changes some bookings, as a push would.
    pub async fn change_some(&self) {
        let sql = CHANGE.replace("{count}", &CHANGED.to_string());
        self.client.batch_execute(&sql).await.unwrap();
    }
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
