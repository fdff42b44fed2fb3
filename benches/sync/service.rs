//! The program itself, served from a temporary folder on ports of its own, and its connections to sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use chrono::{DateTime, Utc};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Child;
use tokio::time::sleep;

use super::program::command;
use super::usage;

const PROGRAM: &str = env!("CARGO_BIN_EXE_sextant");
/// The way to the mail server's name.
const CONFIG: &str = "[providers.own_server.hosts]\n";
/// Between two looks at how far a sync is.
const LOOK: Duration = Duration::from_millis(200);

/// A running service; ends with its database when it is dropped.
pub struct Service {
    _child: Child,
    pid: Pid,
    console: String,
    pub agents: String,
    home: PathBuf,
    client: reqwest::Client,
}

/// What became of a connection's runs.
#[derive(Clone, Copy)]
pub struct Synced {
    pub begun: DateTime<Utc>,
    pub ended: DateTime<Utc>,
    pub stored: u64,
    pub runs: usize,
}

impl Service {
    /// `hosts` are names that lead to an address.
    pub async fn start(home: &Path, hosts: &[(&str, u16)]) -> Self {
        let mut config = CONFIG.to_owned();
        for (host, port) in hosts {
            config += &format!("\"{host}\" = \"127.0.0.1:{port}\"\n");
        }
        fs::write(home.join("config.toml"), config).unwrap();
        let mut child = command(Path::new(PROGRAM), home)
            .env("REST_PORT", "0")
            .env("MCP_PORT", "0")
            .env("RUST_LOG", "warn")
            .env("TIMEZONE", "Europe/Berlin")
            .arg("--data-dir")
            .arg(home.join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let pid = Pid::from_raw(child.id().unwrap().cast_signed());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (console, agents) = loop {
            let line = lines.next_line().await.unwrap().unwrap();
            let ready = line.strip_prefix("sextant is ready: Console ");
            if let Some((console, agents)) = ready.and_then(|rest| rest.split_once("  agents ")) {
                break (console.to_owned(), agents.trim().to_owned());
            }
        };
        Self {
            _child: child,
            pid,
            console,
            agents,
            home: home.to_owned(),
            client: crate::http::builder().build().unwrap(),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.console))
    }

    pub async fn get(&self, path: &str) -> Value {
        answer(self.request(Method::GET, path)).await
    }

    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Value {
        answer(self.request(method, path).json(body)).await
    }

    /// The ids of what a form connects.
    pub async fn connect(&self, form: &Value) -> Vec<String> {
        let made = self.send(Method::POST, "/api/connections", form).await;
        let made = made.get("connections").and_then(Value::as_array).unwrap();
        let ids = made.iter().map(|each| text(each, "id").unwrap());
        ids.collect()
    }

    /// Waits until a connection has been read once, to the end.
    pub async fn synced(&self, id: &str) -> Synced {
        loop {
            let view = self.get(&format!("/api/connections/{id}")).await;
            let problem = view.get("error").filter(|error| !error.is_null());
            assert!(problem.is_none(), "{view}");
            if text(&view, "lastSyncAt").is_some() {
                return self.runs(id).await;
            }
            sleep(LOOK).await;
        }
    }

    async fn runs(&self, id: &str) -> Synced {
        let runs = self
            .get(&format!("/api/connections/{id}/runs?limit=200"))
            .await;
        let runs = runs.get("rows").and_then(Value::as_array).unwrap();
        let ended = runs.iter().filter(|run| text(run, "endedAt").is_some());
        let ended: Vec<&Value> = ended.collect();
        let time = |name: &str| {
            let times = ended.iter().filter_map(|run| text(run, name)?.parse().ok());
            times.collect::<Vec<DateTime<Utc>>>()
        };
        let stored = ended.iter().filter_map(|run| run.get("upserted")?.as_u64());
        Synced {
            begun: time("startedAt").into_iter().min().unwrap(),
            ended: time("endedAt").into_iter().max().unwrap(),
            stored: stored.sum(),
            runs: ended.len(),
        }
    }

    pub const fn pid(&self) -> i32 {
        self.pid.as_raw()
    }

    /// Processor time of the service and of its database.
    pub fn used(&self) -> [Duration; 2] {
        let database = usage::family(usage::postmaster(&self.home));
        [usage::own(self.pid()), database]
    }
}

async fn answer(request: RequestBuilder) -> Value {
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    assert!(status.is_success(), "{status}: {body}");
    body
}

/// A member that is a text.
pub fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().map(str::to_owned)
}

impl Drop for Service {
    /// Stops it in order, since a service that is killed leaves its database running.
    fn drop(&mut self) {
        kill(self.pid, Signal::SIGTERM).unwrap();
        waitpid(self.pid, None).unwrap();
    }
}
