//! The program itself: served from a temporary folder on ports of its own, with a grant for each era.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Child;
use tokio_postgres::Client;

use super::anchors::Anchor;
use super::database;
use super::load::{Caller, request};
use super::program::command;
use super::wire::Wire;

const SESSION_VERSION: &str = "2025-11-25";
const STATELESS_VERSION: &str = "2026-07-28";
/// How often at the most a service is checked for audit rows that wait, and the interval.
const LOOKS_MAX: u32 = 600;
const LOOK_WAIT: Duration = Duration::from_millis(100);

/// A running service; ends with its database when it is dropped.
pub struct Service {
    _child: Child,
    pid: Pid,
    /// The address of the Console port.
    url: String,
    agents: SocketAddr,
    home: PathBuf,
    client: reqwest::Client,
}

/// The role of agents' reads.
pub const fn reader() -> &'static str {
    "sextant_reader"
}

impl Service {
    /// Starts a program, this build's or another, with the arguments `words` and its data directory in `home`.
    pub async fn start(program: &Path, words: &[&str], home: &Path) -> Self {
        let mut child = command(program, home)
            .env("REST_PORT", "0")
            .env("MCP_PORT", "0")
            .env("RUST_LOG", "warn")
            .args(words)
            .arg("--data-dir")
            .arg(home.join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let pid = Pid::from_raw(child.id().unwrap().cast_signed());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let words: Vec<&str> = line
            .split(' ')
            .filter(|word| word.starts_with("http://"))
            .collect();
        let [url, agents] = words[..] else {
            panic!("{line}")
        };
        let agents = agents
            .trim_start_matches("http://")
            .trim_end_matches("/mcp");
        Self {
            _child: child,
            pid,
            url: url.to_owned(),
            agents: agents.parse().unwrap(),
            home: home.to_owned(),
            client: crate::http::builder().build().unwrap(),
        }
    }

    pub fn pid(&self) -> i32 {
        self.pid.as_raw()
    }

    /// The data directory of its database.
    pub fn cluster(&self) -> PathBuf {
        self.home.join("data/postgres/data")
    }

    /// The folder of the database's socket.
    pub fn socket(&self) -> PathBuf {
        database::socket(&self.home)
    }

    /// A direct connection to its database.
    pub async fn database(&self) -> Client {
        database::connect(&self.home, "sextant").await
    }

    /// The number of rows in its audit log.
    pub async fn audit_rows(&self) -> i64 {
        let count = "SELECT count(*) FROM audit_log";
        let row = self.database().await.query_one(count, &[]).await;
        row.unwrap().get(0)
    }

    /// Waits until no row of its audit log is still to be written.
    pub async fn wait_for_audit_rows(&self) {
        for _ in 0..LOOKS_MAX {
            if self.figure("sextant_audit_waiting_rows").await == 0.0 {
                return;
            }
            tokio::time::sleep(LOOK_WAIT).await;
        }
        panic!("the record is not written");
    }

    /// The value of one of its metrics.
    pub async fn figure(&self, name: &str) -> f64 {
        let answer = self.client.get(format!("{}/metrics", self.url)).send();
        let told = answer.await.unwrap().text().await.unwrap();
        let mut lines = told.lines().filter_map(|line| line.split_once(' '));
        let (_, figure) = lines.find(|(told, _)| *told == name).unwrap();
        figure.parse().unwrap()
    }

    /// The id of a new connection for a table.
    pub async fn connection(&self, target: &str) -> String {
        let (sector, table) = target.split_once('.').unwrap();
        let wanted = json!({"provider": "push", "sector": sector, "table": table, "label": target});
        let made = self.post("/api/connections", &wanted).await;
        made.pointer("/connections/0/id")
            .and_then(Value::as_str)
            .unwrap()
            .to_owned()
    }

    /// The key of a new agent.
    async fn key(&self, name: &str) -> String {
        let wanted = json!({"name": name, "sectors": ["finance", "mail"], "expiresInDays": 1});
        let made = self.post("/api/agents", &wanted).await;
        made.get("key").and_then(Value::as_str).unwrap().to_owned()
    }

    async fn post(&self, path: &str, wanted: &Value) -> Value {
        let request = self.client.post(format!("{}{path}", self.url)).json(wanted);
        let answer = request.send().await.unwrap();
        answer.error_for_status().unwrap().json().await.unwrap()
    }

    /// Clients with a session each.
    pub async fn sessions(&self, count: usize) -> Vec<Caller> {
        let head = self.head(&self.key("session").await, SESSION_VERSION);
        let mut callers = Vec::new();
        for _ in 0..count {
            let session = shake_hands(self.agents, &head).await;
            callers.push(Caller {
                address: self.agents,
                head: format!("{head}mcp-session-id: {session}\r\n"),
                params,
                rows,
            });
        }
        callers
    }

    /// Clients of one agent, with stateless requests.
    pub async fn stateless(&self, count: usize) -> Vec<Caller> {
        let key = self.key("stateless").await;
        let caller = || self.stateless_caller(&key);
        std::iter::repeat_with(caller).take(count).collect()
    }

    /// Clients with stateless requests, each of an agent of its own.
    pub async fn agents(&self, count: usize) -> Vec<Caller> {
        let mut callers = Vec::new();
        for number in 0..count {
            callers.push(self.stateless_caller(&self.key(&format!("agent-{number}")).await));
        }
        callers
    }

    fn stateless_caller(&self, key: &str) -> Caller {
        let head = self.head(key, STATELESS_VERSION);
        Caller {
            address: self.agents,
            head: format!("{head}mcp-method: tools/call\r\nmcp-name: query\r\n"),
            params: stateless_params,
            rows,
        }
    }

    fn head(&self, key: &str, version: &str) -> String {
        format!(
            "POST /mcp HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\nmcp-protocol-version: {version}\r\n",
            self.agents
        )
    }
}

/// Opens a session; returns its id.
async fn shake_hands(address: SocketAddr, head: &str) -> String {
    let mut wire = Wire::open(address).await;
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": SESSION_VERSION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
    }});
    let answer = wire.ask(&request(head, &hello)).await;
    let session = answer.session.unwrap();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let head = format!("{head}mcp-session-id: {session}\r\n");
    let answer = wire.ask(&request(&head, &ready)).await;
    assert_eq!(answer.status, 202);
    session
}

fn params(anchor: &Anchor, variant: usize) -> Value {
    json!({"name": "query", "arguments": anchor.arguments(variant)})
}

fn stateless_params(anchor: &Anchor, variant: usize) -> Value {
    json!({"name": "query", "arguments": anchor.arguments(variant), "_meta": {
        "io.modelcontextprotocol/protocolVersion": STATELESS_VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    }})
}

fn rows(text: &str) -> usize {
    let answer: Value = serde_json::from_str(text).unwrap();
    answer
        .get("rows")
        .and_then(Value::as_array)
        .map_or(0, Vec::len)
}

impl Drop for Service {
    /// Stops it in order, since a service that is killed leaves its database running.
    fn drop(&mut self) {
        kill(self.pid, Signal::SIGTERM).unwrap();
        waitpid(self.pid, None).unwrap();
    }
}
