//! The program itself: served from a temporary folder on ports of its own, and run as `sextant push`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use bytes::Bytes;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Child;

use super::program::command;

/// While a file is parsed the client does not notice that the service closes idle connections, so it does not reuse
/// them.
const IDLE_MAX: Duration = Duration::from_secs(1);
const PROGRAM: &str = env!("CARGO_BIN_EXE_sextant");
const READY: &str = "sextant is ready: Console ";

/// A running service; ends with its database when it is dropped.
pub struct Service {
    _child: Child,
    pid: Pid,
    /// The address of the Console port.
    url: String,
    home: PathBuf,
    client: reqwest::Client,
}

/// A push connection.
pub struct Connection {
    pub target: String,
    id: String,
    secret: String,
}

impl Service {
    pub async fn start(home: &Path) -> Self {
        let mut child = command(Path::new(PROGRAM), home)
            .env("REST_PORT", "0")
            .env("MCP_PORT", "0")
            .env("RUST_LOG", "warn")
            .arg("--data-dir")
            .arg(home.join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let pid = Pid::from_raw(child.id().unwrap().cast_signed());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let (url, _) = line
            .strip_prefix(READY)
            .and_then(|rest| rest.split_once(' '))
            .unwrap();
        let client = crate::http::builder().pool_idle_timeout(IDLE_MAX).build();
        Self {
            _child: child,
            pid,
            url: url.to_owned(),
            home: home.to_owned(),
            client: client.unwrap(),
        }
    }

    /// A new connection for each table.
    pub async fn connections(&self, targets: &BTreeSet<&str>) -> Vec<Connection> {
        let mut connections = Vec::new();
        for target in targets {
            connections.push(self.connection(target).await);
        }
        connections
    }

    async fn connection(&self, target: &str) -> Connection {
        let (sector, table) = target.split_once('.').unwrap();
        let wanted = json!({"provider": "push", "sector": sector, "table": table, "label": target});
        let request = self.client.post(format!("{}/api/connections", self.url));
        let answer = request.json(&wanted).send().await.unwrap();
        let made: Value = answer.error_for_status().unwrap().json().await.unwrap();
        let text = |pointer| made.pointer(pointer).and_then(Value::as_str).unwrap();
        Connection {
            target: target.to_owned(),
            id: text("/connections/0/id").to_owned(),
            secret: text("/secret").to_owned(),
        }
    }

    /// Posts a body; returns how many rows are new.
    pub async fn post(&self, connection: &Connection, gzipped: &Bytes) -> usize {
        let path = format!("{}/api/ingest/{}", self.url, connection.id);
        let request = self.client.post(path).bearer_auth(&connection.secret);
        let request = request
            .header("content-type", "application/x-ndjson")
            .header("content-encoding", "gzip")
            .body(gzipped.clone());
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        let inserted = answer.get("inserted").and_then(Value::as_u64);
        let inserted = inserted.unwrap_or_else(|| panic!("{answer}"));
        usize::try_from(inserted).unwrap()
    }

    /// Writes the file from which a push takes the connections' secrets.
    pub fn secret_file(&self, connections: &[Connection]) -> PathBuf {
        let path = self.home.join("secrets");
        let lines = connections
            .iter()
            .map(|each| format!("{} {}\n", each.id, each.secret));
        fs::write(&path, lines.collect::<String>()).unwrap();
        path
    }

    /// Runs `sextant push`; returns its output.
    pub async fn push(&self, file: &Path, secrets: &Path) -> String {
        let mut program = command(Path::new(PROGRAM), &self.home);
        program.args(["push", "--url", &self.url, "--secret-file"]);
        let output = program.arg(secrets).arg(file).output().await.unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Service {
    /// Stops it in order, since a service that is killed leaves its database running.
    fn drop(&mut self) {
        kill(self.pid, Signal::SIGTERM).unwrap();
        waitpid(self.pid, None).unwrap();
    }
}
