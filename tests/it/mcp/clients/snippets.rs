//! The snippets that people are told to paste, each run as far as its client can be run here, and the documents that
//! contain them.
//!
//! For clients that cannot be installed here (they need an account or a desktop) their configuration is parsed as
//! they would, and a real client connects with the result.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

use super::url;
use crate::mcp::support::soon;
use crate::support::TestApp;
use crate::support::clients::{installed, python};

const PLACE_OF_THE_KEY: &str = "<AGENT_KEY>";

fn peers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers")
}

/// A working folder: `npx` uses what is installed already, and `claude` and `codex` write their configuration there.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let node = peers().join("node");
        symlink(node.join("node_modules"), folder.path("node_modules")).unwrap();
        let modules = folder.path("node_modules");
        let run = format!("exec {} {}", node.join("node").display(), modules.display());
        folder.program("npx", &format!(
            "shift; name=$1; shift\ncase $name in\n\
             mcp-remote) {run}/mcp-remote/dist/proxy.js \"$@\" ;;\n\
             @modelcontextprotocol/inspector) {run}/$name/clients/launcher/build/index.js \"$@\" ;;\nesac"
        ));
        for client in ["claude", "codex"] {
            let told = folder.path("told");
            folder.program(
                client,
                &format!("printf '%s\\n' \"$SEXTANT_KEY\" \"$@\" >{}", told.display()),
            );
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn program(&self, name: &str, text: &str) {
        fs::write(self.path(name), format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the programs beside ours are found as a person finds them"
    )]
    fn command(&self, program: impl AsRef<Path>) -> Command {
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new(program.as_ref());
        command
            .current_dir(self.0.path())
            .env("PATH", format!("{}:{path}", self.0.path().display()))
            .env("HOME", self.0.path())
            .kill_on_drop(true);
        command
    }

    /// The output of a program that ends by itself.
    async fn printed(&self, program: impl AsRef<Path>, arguments: &[&str]) -> String {
        let output = self
            .command(program)
            .args(arguments)
            .output()
            .await
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        assert!(output.status.success(), "{}", text(output.stderr));
        text(output.stdout)
    }

    /// What a command line passed to a stand-in for its client: the key in the environment, and the arguments.
    async fn told(&self, text: &str) -> Vec<String> {
        self.printed("/bin/sh", &["-c", text]).await;
        let told = fs::read_to_string(self.path("told")).unwrap();
        told.lines().map(str::to_owned).collect()
    }
}

/// Connects a real client to the address with the header that a configuration names.
async fn connects(address: &str, header: &str) {
    let key = header.strip_prefix("Bearer ").unwrap();
    let mut client = python("auto").connect(address, key).await;
    assert_eq!(
        client.list().await.as_array().unwrap().len(),
        7,
        "{}",
        client.greeting
    );
}

async fn configured(text: &str, servers: &str, address: &str) {
    let configuration: Value = serde_json::from_str(text).unwrap();
    let server = &configuration[servers]["sextant"];
    let header = server["headers"]["Authorization"].as_str().unwrap();
    connects(server[address].as_str().unwrap(), header).await;
}

/// As the desktop application does: starts the configured program and speaks to it over its standard input and
/// output.
async fn spawned(folder: &Folder, text: &str) {
    let configuration: Value = serde_json::from_str(text).unwrap();
    let server = &configuration["mcpServers"]["sextant"];
    let arguments = server["args"].as_array().unwrap().iter();
    let mut bridge = folder
        .command(folder.path(server["command"].as_str().unwrap()))
        .args(arguments.map(|argument| argument.as_str().unwrap()))
        .envs(
            server["env"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, value)| (name, value.as_str().unwrap())),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": { "name": "desktop", "version": "1" } } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {} });
    let mut input = bridge.stdin.take().unwrap();
    let mut output = BufReader::new(bridge.stdout.take().unwrap()).lines();
    let mut answer = Value::Null;
    for messages in [vec![hello], vec![ready, list]] {
        for message in messages {
            input
                .write_all(format!("{message}\n").as_bytes())
                .await
                .unwrap();
        }
        let line = soon("the bridge answers", output.next_line())
            .await
            .unwrap()
            .unwrap();
        answer = serde_json::from_str(&line).unwrap();
    }
    assert_eq!(
        answer["result"]["tools"].as_array().unwrap().len(),
        7,
        "{answer}"
    );
}

async fn run(folder: &Folder, snippet: &Value, text: &str) {
    let written = |name: &str| {
        let path = folder.path(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    match snippet["client"].as_str().unwrap() {
        "Claude Code" => {
            let told = folder.told(text).await;
            assert_eq!(told[1..6], ["mcp", "add", "--transport", "http", "sextant"]);
            assert_eq!((told.len(), told[7].as_str()), (9, "--header"));
            connects(&told[6], told[8].strip_prefix("Authorization: ").unwrap()).await;
        }
        "Codex" => {
            let told = folder.told(text).await;
            assert_eq!(told[1..5], ["mcp", "add", "sextant", "--url"]);
            assert_eq!(told[6..], ["--bearer-token-env-var", "SEXTANT_KEY"]);
            connects(&told[5], &format!("Bearer {}", told[0])).await;
        }
        "Claude Desktop" => spawned(folder, text).await,
        "Cursor" => configured(text, "mcpServers", "url").await,
        "VS Code" => configured(text, "servers", "url").await,
        "Gemini CLI" => configured(text, "mcpServers", "httpUrl").await,
        "Python" => {
            let told = folder
                .printed(peers().join("python/bin/python"), &[&written("ask.py")])
                .await;
            assert!(
                told.contains(r#""target":"finance.transactions""#),
                "{told}"
            );
        }
        "TypeScript" => {
            let told = folder
                .printed(peers().join("node/node"), &[&written("ask.mjs")])
                .await;
            assert!(told.contains(r#""sectors":["finance"]"#), "{told}");
        }
        "Inspector" | "curl" => {
            let told = folder.printed("/bin/sh", &["-c", text]).await;
            assert!(told.contains(r#"\"sectors\":[\"finance\"]"#), "{told}");
        }
        "claude.ai" | "ChatGPT" => {
            assert!(text.contains("<PUBLIC_URL>") && snippet["needsPublicUrl"] == true)
        }
        unknown => panic!("nobody runs the snippet of {unknown}"),
    }
}

async fn snippets(app: &TestApp) -> Vec<Value> {
    let shown = app.get("/api/agents/claude/snippets").await.expect(200);
    shown["snippets"].as_array().unwrap().clone()
}

#[actix_web::test]
async fn every_snippet_makes_its_client_connect() {
    let peers = installed("every_snippet").len();
    if peers < crate::support::clients::PEERS.len() {
        return;
    }
    let app = TestApp::start().await;
    let key = app.key_of("claude", &["finance"]).await;
    let folder = Folder::new();
    for snippet in snippets(&app).await {
        let text = snippet["text"].as_str().unwrap();
        assert_eq!(
            text.contains(&url(&app)),
            snippet["needsPublicUrl"] == false,
            "{snippet}"
        );
        assert!(
            !text.contains("<AGENT_URL>") && !text.contains("sxt_"),
            "{snippet}"
        );
        run(&folder, &snippet, &text.replace(PLACE_OF_THE_KEY, &key)).await;
    }
    app.get("/api/agents/nobody/snippets")
        .await
        .expect_problem(404, "not_found", None);
}

#[actix_web::test]
async fn the_papers_tell_what_the_console_tells() {
    let app = TestApp::start().await;
    app.key_of("claude", &[]).await;
    let papers = concat!(
        include_str!("../../../../README.md"),
        include_str!("../../../../docs/asking.md")
    );
    for snippet in snippets(&app).await {
        let client = snippet["client"].as_str().unwrap();
        if !["Claude Code", "Claude Desktop", "Python", "curl"].contains(&client) {
            continue;
        }
        let text = snippet["text"].as_str().unwrap();
        let text = text
            .replace(&url(&app), "http://127.0.0.1:8788/mcp")
            .replace(PLACE_OF_THE_KEY, "sxt_…");
        assert!(
            papers.contains(&format!("\n{text}\n```\n")),
            "{client}:\n{text}"
        );
    }
}
