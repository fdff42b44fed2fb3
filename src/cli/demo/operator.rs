use std::net::SocketAddr;
use std::time::Duration;

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use super::error::DemoError;
use crate::cli::client;
use crate::sample::TableRecords;

const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// How often the audit log is read until it shows the calls, and the wait between two reads.
const AUDIT_READS_MAX: u32 = 100;
const AUDIT_READ_WAIT: Duration = Duration::from_millis(100);
const AGENT: &str = "demo";

/// Calls the routes of the Console and of ingest, as the operator would.
pub(super) struct Operator {
    client: Client,
    address: SocketAddr,
}

impl Operator {
    pub(super) fn new(address: SocketAddr) -> Result<Self, DemoError> {
        Ok(Self {
            client: client()?,
            address,
        })
    }

    /// Makes a push connection for the share and pushes it: how many records are stored.
    pub(super) async fn push(&self, share: &TableRecords) -> Result<u64, DemoError> {
        let (sector, _) = share.target.split_once('.').unwrap_or((share.target, ""));
        let new = json!({ "provider": "push", "sector": sector, "table": share.target, "label": share.label() });
        let made = self
            .send_checked(
                self.post("/api/connections").json(&new),
                "a push connection",
            )
            .await?;
        let (url, secret) = (text(&made, "ingestUrl"), text(&made, "secret"));
        let push = self
            .client
            .post(url)
            .bearer_auth(secret)
            .json(&json!({ "records": share.records }));
        let answer = self.send_checked(push, share.target).await?;
        Ok(answer
            .get("upserted")
            .and_then(Value::as_u64)
            .unwrap_or_default())
    }

    /// A key for an agent that may read these sectors, for a day.
    pub(super) async fn key(&self, sectors: &[&str]) -> Result<String, DemoError> {
        let new = json!({ "name": AGENT, "sectors": sectors, "expiresInDays": 1 });
        let made = self
            .send_checked(self.post("/api/agents").json(&new), "the agent")
            .await?;
        Ok(text(&made, "key").to_owned())
    }

    /// The agent's rows of the audit log, oldest first, once there are `count`: they are written a moment after the call.
    pub(super) async fn audit_rows(&self, count: usize) -> Result<Vec<Value>, DemoError> {
        for _ in 0..AUDIT_READS_MAX {
            let path = format!("/api/audit?agent={AGENT}");
            let page = self
                .send_checked(self.client.get(self.url(&path)), "the record")
                .await?;
            let rows = page.get("rows").and_then(Value::as_array);
            if let Some(rows) = rows.filter(|rows| rows.len() >= count) {
                return Ok(rows.iter().rev().cloned().collect());
            }
            tokio::time::sleep(AUDIT_READ_WAIT).await;
        }
        Err(DemoError::Operator(
            "the record does not show the agent's calls".to_owned(),
        ))
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn post(&self, path: &str) -> RequestBuilder {
        self.client.post(self.url(path))
    }

    /// Sends and reads a success; the problem's own words otherwise.
    async fn send_checked(&self, request: RequestBuilder, what: &str) -> Result<Value, DemoError> {
        let answer = request.send().await.map_err(|cause| failed(what, &cause))?;
        let status = answer.status();
        let body: Value = answer.json().await.map_err(|cause| failed(what, &cause))?;
        if status.is_success() {
            return Ok(body);
        }
        Err(DemoError::Operator(format!(
            "{what}: the service answered {status}: {body}"
        )))
    }
}

/// What both the operator and the agent speak with.
pub(super) fn client() -> Result<Client, DemoError> {
    let client = client::client(|limits| limits.timeout(REQUEST_TIMEOUT));
    client.map_err(DemoError::Operator)
}

fn failed(what: &str, cause: &reqwest::Error) -> DemoError {
    DemoError::Operator(format!("{what}: the service cannot be reached: {cause}"))
}

fn text<'a>(body: &'a Value, name: &str) -> &'a str {
    body.get(name).and_then(Value::as_str).unwrap_or_default()
}
