//! The requests to the Console port about its audit log.

use std::fs;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use serde_json::Value;
use sextant::app::App;

/// The kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Newest,
    Further,
    Newer,
    Day,
    Agent,
    Denied,
    Rare,
    Text,
    Facets,
    Row,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::Newest,
        Self::Further,
        Self::Newer,
        Self::Day,
        Self::Agent,
        Self::Denied,
        Self::Rare,
        Self::Text,
        Self::Facets,
        Self::Row,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Newest => "the newest page",
            Self::Further => "a page in the middle, back",
            Self::Newer => "a page in the middle, forward",
            Self::Day => "the newest page of a day in the middle",
            Self::Agent => "an agent's newest page",
            Self::Denied => "the newest refusals of a verb",
            Self::Rare => "an agent that is two rows in a million",
            Self::Text => "a text that is in no row",
            Self::Facets => "facets",
            Self::Row => "one row",
        }
    }
}

/// The Console port, and positions in the middle of the audit log.
pub struct Console {
    base: String,
    client: reqwest::Client,
    cursor: String,
    day: String,
    row: u64,
}

/// The time and memory of reading the whole log.
pub struct Csv {
    pub bytes: u64,
    pub lasted: Duration,
    pub grown_bytes: u64,
}

impl Console {
    pub async fn at(app: &App, rows: u64) -> Self {
        let mut console = Self {
            base: format!("http://{}", app.console),
            client: crate::http::builder().build().unwrap(),
            cursor: String::new(),
            day: String::new(),
            row: rows / 2,
        };
        let (row, _) = console.get(&format!("/api/audit/{}", console.row)).await;
        let stamp = row.get("created_at").and_then(Value::as_str).unwrap();
        let begin = stamp.get(..10).unwrap();
        console.day = format!("from={begin}T00:00:00Z&to={begin}T23:59:59Z");
        let (page, _) = console.get(&format!("/api/audit?to={stamp}")).await;
        console.cursor = page.get("next").and_then(Value::as_str).unwrap().to_owned();
        console
    }

    /// Makes a request; returns how long its answer took.
    pub async fn ask(&self, kind: Kind) -> Duration {
        let (cursor, day) = (&self.cursor, &self.day);
        let path = match kind {
            Kind::Newest => "/api/audit".to_owned(),
            Kind::Further => format!("/api/audit?before={cursor}"),
            Kind::Newer => format!("/api/audit?after={cursor}"),
            Kind::Day => format!("/api/audit?{day}"),
            Kind::Agent => "/api/audit?agent=agent-7".to_owned(),
            Kind::Denied => "/api/audit?result=denied&tool=get_schema".to_owned(),
            Kind::Rare => "/api/audit?agent=rare".to_owned(),
            Kind::Text => "/api/audit?q=nobody%20wrote%20this".to_owned(),
            Kind::Facets => "/api/audit/facets".to_owned(),
            Kind::Row => format!("/api/audit/{}", self.row),
        };
        let (answer, lasted) = self.get(&path).await;
        let rows = answer.get("rows").and_then(Value::as_array).map(Vec::len);
        // A search that ran out of time continues where it stopped.
        let is_partial = answer.get("searched_back_to").is_some();
        assert!(
            rows != Some(0) || is_partial || kind == Kind::Text,
            "{answer}"
        );
        lasted
    }

    /// Reads the whole audit log as CSV.
    pub async fn csv(&self) -> Csv {
        reset_high_water();
        let (before, begun) = (memory("VmRSS:"), Instant::now());
        let request = self.client.get(format!("{}/api/audit.csv", self.base));
        let answer = request.send().await.unwrap().error_for_status().unwrap();
        let mut pieces = answer.bytes_stream();
        let mut bytes = 0;
        while let Some(piece) = pieces.next().await {
            bytes += u64::try_from(piece.unwrap().len()).unwrap();
        }
        Csv {
            bytes,
            lasted: begun.elapsed(),
            grown_bytes: memory("VmHWM:").saturating_sub(before),
        }
    }

    async fn get(&self, path: &str) -> (Value, Duration) {
        let begun = Instant::now();
        let request = self.client.get(format!("{}{path}", self.base));
        let answer = request.send().await.unwrap().error_for_status().unwrap();
        let text = answer.text().await.unwrap();
        let lasted = begun.elapsed();
        (serde_json::from_str(&text).unwrap(), lasted)
    }
}

/// Resets the high-water mark of this process's memory (Linux).
fn reset_high_water() {
    fs::write("/proc/self/clear_refs", "5").unwrap();
}

fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    let kib = line.split_whitespace().nth(1).unwrap();
    kib.parse::<u64>().unwrap() * 1024
}
