//! `/api/uploads`: files that are dropped into the page, through the real routes, into a real database.

mod choices;
mod ends;
mod faults;
mod received;
mod stored;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::app::Answer;
use crate::support::eventually::eventually;

const CALENDAR: &str = "calendar/000.ics";
const BANK: &str = "bank/checking.ofx";
/// Names neither a currency nor an account.
const BOOKINGS: &str = "Date,Description,Amount\n2026-06-01,Bread,-3.20\n";

/// One upload.
struct Upload<'a> {
    app: &'a TestApp,
    id: String,
}

impl<'a> Upload<'a> {
    async fn open(app: &'a TestApp) -> Self {
        let opened = app.post("/api/uploads", json!({})).await.expect(201);
        Self::of(app, opened["id"].as_str().unwrap())
    }

    fn of(app: &'a TestApp, id: &str) -> Self {
        let id = id.to_owned();
        Self { app, id }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/uploads/{}{rest}", self.id)
    }

    async fn send(&self, path: &str, body: impl Into<Vec<u8>>) -> Answer {
        let path: String = path.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let path = self.path(&format!("/files?path={path}"));
        let request = self.app.request(Method::POST, &path);
        let request = request.header("content-type", "application/octet-stream");
        self.app.send(request.body(body.into())).await
    }

    async fn put(&self, path: &str, body: impl Into<Vec<u8>>) {
        self.send(path, body).await.expect(201);
    }

    /// Sends files of the fixtures under their own paths.
    async fn put_fixtures(&self, names: &[&str]) {
        for name in names {
            let bytes = std::fs::read(format!("tests/it/fixtures/{name}")).unwrap();
            self.put(name, bytes).await;
        }
    }

    async fn job(&self) -> Value {
        self.app.get(&self.path("")).await.expect(200)
    }

    /// Begins a check or a run, and waits for its end.
    async fn work(&self, verb: &str, choices: Value) -> Value {
        let path = self.path(&format!("/{verb}"));
        self.app.post(&path, choices).await.expect(202);
        self.ended().await
    }

    async fn ended(&self) -> Value {
        let mut job = Value::Null;
        eventually("the work ends", async || {
            job = self.job().await;
            !matches!(job["state"].as_str(), Some("checking" | "running"))
        })
        .await;
        job
    }

    async fn check(&self) -> Value {
        self.work("check", json!({})).await
    }

    async fn run(&self) -> Value {
        self.work("run", json!({})).await
    }
}

/// Rows of a table of a sector.
async fn rows(app: &TestApp, table: &str) -> i64 {
    let client = app.pool.get().await.unwrap();
    let statement = format!("SELECT count(*) FROM {table}");
    let row = client.query_one(&statement, &[]).await.unwrap();
    row.get(0)
}

/// A mailbox of so many messages.
fn mailbox(messages: usize) -> String {
    let message = |number: usize| {
        format!(
            "From ann@example.com Mon Jun  1 10:00:00 2026\nFrom: ann@example.com\nTo: ben@example.com\nSubject: Note {number}\n\
             Date: Mon, 1 Jun 2026 10:00:00 +0000\nMessage-ID: <{number}@example.com>\n\nText {number}\n\n"
        )
    };
    (0..messages).map(message).collect()
}

/// The counts of an object: taken, new, changed, unchanged, refused.
fn counts(of: &Value) -> [u64; 5] {
    ["taken", "inserted", "updated", "unchanged", "refused"].map(|name| of[name].as_u64().unwrap())
}
