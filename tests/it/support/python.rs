//! The Python that has the tests' peers, and the official Python client (`mcp` 2.3.0) as a process that stays connected: a line of JSON in, one out.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::skipped;

/// Where `tests/peers/install.sh` puts the interpreter that has the peers.
const PYTHON: &str = "target/peers/python/bin/python";

/// How long an answer may take before a test gives up on it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connected client.
pub struct PythonClient {
    /// What it learnt when it connected, or `{"refused": …}`.
    pub greeting: Value,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The interpreter that has the peers.
pub fn interpreter() -> PathBuf {
    root().join(PYTHON)
}

/// Whether it is there; it may be missing on a developer's machine, and never in CI.
pub fn installed(test: &str) -> bool {
    let is_there = interpreter().exists();
    if !is_there {
        skipped::for_want_of_a_peer(test, "its peer is missing; run tests/peers/install.sh");
    }
    is_there
}

impl PythonClient {
    /// Connects in this mode: `auto`, `legacy` or a version.
    pub async fn connect(url: &str, key: &str, mode: &str) -> Self {
        let mut process = Command::new(interpreter())
            .arg(root().join("tests/peers/mcp_client.py"))
            .args([url, mode])
            .env("MCP_KEY", key)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut client = Self {
            greeting: Value::Null,
            input: process.stdin.take().unwrap(),
            output,
            _process: process,
        };
        client.greeting = client.read().await;
        client
    }

    /// Calls a tool; what the client made of the answer.
    pub async fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let line = format!("{}\n", json!([tool, arguments]));
        self.input.write_all(line.as_bytes()).await.unwrap();
        self.read().await
    }

    async fn read(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.output.next_line());
        let line = line
            .await
            .unwrap_or_else(|_| panic!("the Python client is silent"));
        let line = line
            .unwrap()
            .unwrap_or_else(|| panic!("the Python client ended without a word"));
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}"))
    }
}
