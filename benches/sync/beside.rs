//! Who works beside the rounds of sources: an edit of a grant, an agent's call until its audit row is stored, and a push.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use sextant::catalog;
use tokio::time::sleep;
use tokio_postgres::Client;

use super::service::{Service, text};
use super::{database, generated};

/// What is measured, in turn, and how often in each turn: audit rows are written once a second.
const MEASURED: [(&str, i64); 3] = [
    ("edit of a grant", 5),
    ("audit row of a call", 1),
    ("push of 100", 5),
];
/// Records of a push.
const RECORDS: u32 = 100;
/// Between two looks for a row.
const LOOK: Duration = Duration::from_millis(2);
/// The agent whose grant is edited, and the one that calls.
const EDITED: &str = "edited";
const CALLING: &str = "calling";

pub struct Neighbour {
    service: Arc<Service>,
    client: Client,
    key: String,
    ingest: String,
    secret: String,
    http: reqwest::Client,
}

/// The times of each.
pub struct Times([Vec<Duration>; MEASURED.len()]);

impl Neighbour {
    pub async fn open(service: &Arc<Service>, home: &Path) -> Self {
        for name in [EDITED, CALLING] {
            let wanted = json!({"name": name, "sectors": ["finance"]});
            let made = service.send(Method::POST, "/api/agents", &wanted).await;
            assert!(text(&made, "key").is_some());
        }
        let rotated = format!("/api/agents/{CALLING}/rotate");
        let key = service.send(Method::POST, &rotated, &json!({})).await;
        let push = json!({"provider": "push", "sector": "finance", "table": "transactions", "label": "push"});
        let made = service.send(Method::POST, "/api/connections", &push).await;
        let id = made.pointer("/connections/0/id").and_then(Value::as_str);
        Self {
            service: Arc::clone(service),
            client: database::connect(home, "sextant").await,
            key: text(&key, "key").unwrap(),
            ingest: format!("/api/ingest/{}", id.unwrap()),
            secret: text(&made, "secret").unwrap(),
            http: crate::http::builder().build().unwrap(),
        }
    }

    /// Works for as long as it is wanted, at most so long.
    pub async fn while_running(&self, running: &AtomicBool, at_most: Duration) -> Times {
        let mut times = Times(Default::default());
        let begun = Instant::now();
        while running.load(Ordering::Relaxed) && begun.elapsed() < at_most {
            // Another number in each turn, so that every record is new.
            let turn = self.stored_rows().await;
            for (place, times) in times.0.iter_mut().enumerate() {
                let (_, often) = MEASURED.get(place).unwrap();
                for number in turn * often..(turn + 1) * often {
                    let asked = Instant::now();
                    match place {
                        0 => self.edit(number).await,
                        1 => self.call().await,
                        _ => self.push(number).await,
                    }
                    times.push(asked.elapsed());
                }
            }
        }
        times
    }

    async fn edit(&self, turn: i64) {
        let sectors = match turn % 2 {
            0 => json!(["finance"]),
            _ => json!(["finance", "home"]),
        };
        let path = format!("/api/agents/{EDITED}");
        let sectors = json!({"sectors": sectors});
        self.service.send(Method::PATCH, &path, &sectors).await;
    }

    /// The rows of the agent that calls.
    async fn stored_rows(&self) -> i64 {
        let rows = "SELECT count(*) FROM audit_log WHERE agent_id = $1";
        let row = self.client.query_one(rows, &[&CALLING]).await;
        row.unwrap().get(0)
    }

    async fn call(&self) {
        let before = self.stored_rows().await;
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "neighbour", "version": "1" },
        });
        let arguments = json!({"target": "finance.transactions", "limit": 10});
        let params = json!({ "name": "query", "arguments": arguments, "_meta": meta });
        let message =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let request = self.http.post(&self.service.agents).bearer_auth(&self.key);
        let answer = request
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "query")
            .json(&message)
            .send()
            .await;
        answer.unwrap().error_for_status().unwrap();
        while self.stored_rows().await == before {
            sleep(LOOK).await;
        }
    }

    async fn push(&self, turn: i64) {
        let table = catalog::by_target("finance.transactions").unwrap();
        let first = u32::try_from(turn).unwrap() * RECORDS;
        let records = (first..first + RECORDS).map(|number| generated::record(table, number));
        let body: String = records.map(|record| format!("{record}\n")).collect();
        let request = self.service.request(Method::POST, &self.ingest);
        let request = request
            .bearer_auth(&self.secret)
            .header("content-type", "application/x-ndjson")
            .body(body);
        request.send().await.unwrap().error_for_status().unwrap();
    }
}

impl Times {
    pub fn print(&self, beside: &str, alone: &Self) {
        for (((measured, _), own), alone) in MEASURED.iter().zip(&self.0).zip(&alone.0) {
            println!(
                "| {beside} | {measured} | {} | {:.1} | {:.1} | {:.2} |",
                own.len(),
                share(own, 50),
                share(own, 90),
                share(own, 50) / share(alone, 50),
            );
        }
    }
}

/// The given percentile, in milliseconds.
fn share(times: &[Duration], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let place = sorted.len() * percent / 100;
    let time = sorted.get(place).or(sorted.last()).unwrap();
    time.as_secs_f64() * 1e3
}
