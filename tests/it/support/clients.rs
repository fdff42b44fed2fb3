//! The real clients of the agent port in each of their modes, and the dialogue between a test and one of them.
//!
//! The programs are in `tests/peers/clients`; `dialogue.py` describes the dialogue.

use std::fmt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::named_world::NamedWorld;
use super::skipped;

/// How long an answer may take before a test gives up on it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The protocol versions with sessions and without them.
const LEGACY: &str = "2025-11-25";
const MODERN: &str = "2026-07-28";

/// The programs that run the clients, relative to `target/peers`.
const PYTHON_2: &str = "python/bin/python";
const PYTHON_1: &str = "python-1/bin/python";
const NODE: &str = "node/node";

/// A client in one of its modes.
#[derive(Clone, Copy)]
pub struct Peer {
    runtime: &'static str,
    program: &'static str,
    pub mode: &'static str,
    /// The version of the protocol that it must negotiate.
    pub version: &'static str,
}

const fn peer(
    runtime: &'static str,
    program: &'static str,
    mode: &'static str,
    version: &'static str,
) -> Peer {
    Peer {
        runtime,
        program,
        mode,
        version,
    }
}

pub const PEERS: [Peer; 11] = [
    peer(PYTHON_2, "python_v2.py", "auto", MODERN),
    peer(PYTHON_2, "python_v2.py", "legacy", LEGACY),
    peer(PYTHON_2, "python_v2.py", MODERN, MODERN),
    peer(PYTHON_1, "python_v1.py", "legacy", LEGACY),
    peer(PYTHON_1, "fastmcp_v3.py", "legacy", LEGACY),
    peer(NODE, "typescript_v1.mjs", "legacy", LEGACY),
    peer(NODE, "typescript_v2.mjs", "auto", MODERN),
    peer(NODE, "typescript_v2.mjs", "legacy", LEGACY),
    peer(NODE, "typescript_v2.mjs", MODERN, MODERN),
    peer(NODE, "inspector.mjs", "legacy", LEGACY),
    peer(NODE, "inspector.mjs", "modern", MODERN),
];

/// The official Python client in this mode.
pub fn python(mode: &str) -> Peer {
    let found = PEERS
        .into_iter()
        .find(|peer| peer.program == "python_v2.py" && peer.mode == mode);
    found.unwrap_or_else(|| panic!("no such mode: {mode}"))
}

/// The clients that are installed; a missing one is reported as skipped, and fails the test where CI runs.
pub fn installed(test: &str) -> Vec<Peer> {
    PEERS
        .into_iter()
        .filter(|peer| peer.is_installed(test))
        .collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

impl fmt::Display for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.program, self.mode)
    }
}

impl Peer {
    fn interpreter(&self) -> PathBuf {
        root().join("target/peers").join(self.runtime)
    }

    /// Whether it is installed; it may be missing on a developer's machine, and never in CI.
    pub fn is_installed(&self, test: &str) -> bool {
        let is_there = self.interpreter().exists();
        if !is_there {
            skipped::for_want_of(
                test,
                &format!("{self} is missing; run tests/peers/install.sh"),
            );
        }
        is_there
    }

    /// Command-line clients connect anew for each call, so no session spans two calls.
    pub fn keeps_its_connection(&self) -> bool {
        self.program != "inspector.mjs"
    }

    /// Whether it speaks the protocol without sessions.
    pub fn has_no_session(&self) -> bool {
        self.version == MODERN
    }

    /// Whether there is a way for it to sign in here.
    pub fn signs_in(&self) -> bool {
        self.program != "fastmcp_v3.py"
    }

    /// Whether the client reports the server's name. A pinned client skips the discovery that would tell it, and
    /// command-line clients do not report it.
    pub fn is_introduced(&self) -> bool {
        self.keeps_its_connection() && self.mode != MODERN
    }

    /// Whether ending a call cancels it. A command-line client gives up by ending its process, and in the protocol
    /// version with sessions a disconnect is no cancellation.
    pub fn can_cancel(&self) -> bool {
        self.keeps_its_connection() || self.version == MODERN
    }

    /// Connects to this address with this key.
    pub async fn connect(self, url: &str, key: &str) -> Conversation {
        let command = Command::new(self.interpreter());
        self.converse(command, url, key).await
    }

    /// Connects to this address of a name of that world by signing in with this key, after which the client goes on with tokens. `document` is
    /// the address by which the client is known; without one it registers.
    pub async fn sign_in(
        self,
        world: &NamedWorld,
        url: &str,
        key: &str,
        document: Option<&str>,
    ) -> Conversation {
        let mut command = world.command(&self.interpreter());
        command.env("MCP_SIGN_IN", "1");
        if let Some(document) = document {
            command.env("MCP_CLIENT_DOCUMENT", document);
        }
        self.converse(command, url, key).await
    }

    async fn converse(self, mut command: Command, url: &str, key: &str) -> Conversation {
        let mut process = command
            .arg(root().join("tests/peers/clients").join(self.program))
            .args([url, self.mode])
            // Node resolves packages from the working directory.
            .current_dir(self.interpreter().parent().unwrap())
            .env("MCP_KEY", key)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut conversation = Conversation {
            peer: self,
            greeting: Value::Null,
            input: process.stdin.take().unwrap(),
            output,
            _process: process,
        };
        conversation.greeting = conversation.read().await;
        conversation
    }
}

/// A connected client.
pub struct Conversation {
    pub peer: Peer,
    /// What the client learnt when it connected, or `{"refused": …}`.
    pub greeting: Value,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

impl Conversation {
    /// The list of tools as the client parsed it.
    pub async fn list(&mut self) -> Value {
        self.say(json!(["list"])).await["tools"].take()
    }

    /// Calls a tool and returns what the client made of the answer.
    pub async fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.say(json!(["call", tool, arguments])).await
    }

    /// Waits until the client thinks that its token has ended, if it looks at a clock of its own.
    pub async fn expire(&mut self) {
        let told = self.say(json!(["expire"])).await;
        assert_eq!(told, json!({ "expired": true }));
    }

    /// Calls a tool without waiting for the answer.
    pub async fn begin(&mut self, tool: &str, arguments: &Value) {
        assert_eq!(
            self.say(json!(["begin", tool, arguments])).await,
            json!({ "begun": true })
        );
    }

    /// Cancels the running call in the client's own way.
    pub async fn cancel(&mut self) {
        assert_eq!(
            self.say(json!(["cancel"])).await,
            json!({ "cancelled": true })
        );
    }

    /// The result of the call that [`Self::begin`] started.
    pub async fn end(&mut self) -> Value {
        self.say(json!(["end"])).await
    }

    async fn say(&mut self, line: Value) -> Value {
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
        self.read().await
    }

    async fn read(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.output.next_line()).await;
        let line = line
            .unwrap_or_else(|_| panic!("{} is silent", self.peer))
            .unwrap();
        let line = line.unwrap_or_else(|| panic!("{} ended without a word", self.peer));
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{}: no JSON: {line}", self.peer))
    }
}
