//! A large store: fifty agents, forty connections, a million records and a hundred thousand rows of the audit log.

use std::path::Path;

use serde_json::{Value, json};
use tokio_postgres::Client;

use super::database;
use super::support::http;

/// What is seeded once the connections are there.
const FILL: &str = include_str!("fill.sql");
const AUDIT: &str = include_str!("audit.sql");
/// How much fewer rows the audit log has.
const RECORDS_OF_AUDIT_ROW: usize = 10;

const AGENTS: usize = 50;
/// The one whose screens are measured; it reads all sectors but one.
const AGENT: &str = "agent-07";
/// How many connections each table has, forty in all.
const CONNECTIONS: [(&str, usize); 9] = [
    ("health.samples", 8),
    ("mail.messages", 8),
    ("finance.transactions", 6),
    ("calendar.series", 5),
    ("home.history", 4),
    ("contacts.people", 3),
    ("finance.accounts", 2),
    ("health.workouts", 2),
    ("home.entities", 2),
];
/// A record of each sector whose rows are partly derived.
const PUSHED: [(&str, &str); 2] = [
    (
        "health.samples",
        r#"[{"id":"last","metric":"steps","value":9,"unit":"count","start_at":"2026-01-01T10:00:00Z"}]"#,
    ),
    (
        "finance.transactions",
        r#"[{"id":"last","booked_on":"2026-01-01","amount":"-3.20","currency":"EUR"}]"#,
    ),
];

/// How much is stored, as the service counts it, and where the screens of single things are.
pub struct Store {
    pub records: u64,
    pub connection: String,
    pub agent: String,
    pub audit_row: String,
    pub mail: String,
}

impl Store {
    pub async fn fill(base: &str, home: &Path, records: usize) -> Self {
        let service = Service::at(base);
        // Else the first steps are shown for the overview.
        service.post("/api/onboarding/complete", &json!({})).await;
        for number in 0..AGENTS {
            service.add_agent(number).await;
        }
        let mut devices = Vec::new();
        for (target, count) in CONNECTIONS {
            for number in 0..count {
                devices.push(service.add_connection(target, number).await);
            }
        }
        let client = database::connect(home, "sextant").await;
        seed(&client, records).await;
        // Rows that the service derives are marked by what was seeded, and made by the next push.
        for (target, record) in PUSHED {
            let device = devices.iter().find(|device| device.target == target);
            service.push(device.unwrap(), record).await;
        }
        // VACUUM cannot run in a transaction, and so not with other statements.
        client.batch_execute("VACUUM ANALYZE").await.unwrap();
        // Only the superuser may; the time of a later one would be a screen's.
        client.batch_execute("CHECKPOINT").await.ok();
        Self::of(&client, &service, &devices[0]).await
    }

    async fn of(client: &Client, service: &Service, device: &Device) -> Self {
        let one = async |statement: &str| -> String {
            client.query_one(statement, &[]).await.unwrap().get(0)
        };
        let row = one(
            "SELECT max(id)::text FROM audit_log WHERE agent_id = 'agent-07' AND tool = 'query' AND outcome = 'ok'",
        );
        let mail =
            one("SELECT id::text FROM mail.messages ORDER BY received_at DESC OFFSET 99 LIMIT 1");
        Self {
            records: service.records().await,
            connection: format!("/connections/{}", device.id),
            agent: format!("/agents/{AGENT}"),
            audit_row: format!("/activity/{}", row.await),
            mail: format!("/data/mail/messages/{}", mail.await),
        }
    }
}

async fn seed(client: &Client, records: usize) {
    let fill = FILL.replace("{records}", &records.to_string());
    client.batch_execute(&fill).await.unwrap();
    let rows = records / RECORDS_OF_AUDIT_ROW;
    let audit = AUDIT.replace("{rows}", &rows.to_string());
    client.batch_execute(&audit).await.unwrap();
}

/// A connection that takes pushes.
struct Device {
    target: &'static str,
    id: String,
    secret: String,
}

/// The Console port.
struct Service {
    base: String,
    client: reqwest::Client,
}

impl Service {
    fn at(base: &str) -> Self {
        Self {
            base: base.to_owned(),
            client: http::builder().build().unwrap(),
        }
    }

    async fn add_agent(&self, number: usize) {
        let name = format!("agent-{number:02}");
        let sectors = ["finance", "mail", "calendar", "contacts", "health"];
        self.post("/api/agents", &json!({ "name": name, "sectors": sectors }))
            .await;
    }

    /// A connection of a table; by its label the seeded rows find it.
    async fn add_connection(&self, target: &'static str, number: usize) -> Device {
        let (sector, table) = target.split_once('.').unwrap();
        let label = format!("{target} {number}");
        let wanted =
            json!({ "provider": "push", "sector": sector, "table": table, "label": label });
        let made = self.post("/api/connections", &wanted).await;
        let text = |place: &str| {
            made.pointer(place)
                .and_then(Value::as_str)
                .unwrap()
                .to_owned()
        };
        Device {
            target,
            id: text("/connections/0/id"),
            secret: text("/secret"),
        }
    }

    async fn push(&self, device: &Device, records: &'static str) {
        let url = format!("{}/api/ingest/{}", self.base, device.id);
        let request = self.client.post(url).bearer_auth(&device.secret);
        let request = request.header("content-type", "application/json");
        let answer = request.body(records).send().await.unwrap();
        answer.error_for_status().unwrap();
    }

    /// The records of all sectors.
    async fn records(&self) -> u64 {
        let request = self.client.get(format!("{}/api/status", self.base)).send();
        let status: Value = request.await.unwrap().json().await.unwrap();
        let sectors = status["sectors"].as_array().unwrap().iter();
        sectors.map(|sector| sector["rows"].as_u64().unwrap()).sum()
    }

    /// What a route answers; null where it answers nothing.
    async fn post(&self, path: &str, body: &Value) -> Value {
        let request = self.client.post(format!("{}{path}", self.base)).json(body);
        let answer = request.send().await.unwrap().error_for_status().unwrap();
        let text = answer.text().await.unwrap();
        serde_json::from_str(&text).unwrap_or_default()
    }
}
