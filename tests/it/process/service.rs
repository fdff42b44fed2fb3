//! One run of the binary: starting it, waiting for it, sending requests, ending it. Its output is shown when a test
//! fails.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::support::eventually::eventually;

/// For one step of the process: a start with `initdb`, a recovery, an ordered stop.
const PATIENCE: Duration = Duration::from_secs(90);
const READY: &str = "sextant is ready: Console ";

/// How a run of the binary is set up. Of the tests' own environment it only gets `PATH`.
pub struct Setup {
    home: PathBuf,
    command: Command,
}

impl Setup {
    /// With ports of its own, and all its files in `home`.
    pub fn in_home(home: &Path) -> Self {
        Self::bare(home).on_its_own()
    }

    fn on_its_own(self) -> Self {
        let data = self.home.join("data");
        self.env("REST_PORT", "0")
            .env("MCP_PORT", "0")
            .argument("--data-dir")
            .argument(data.to_str().unwrap())
    }

    /// Without any setting.
    pub fn bare(home: &Path) -> Self {
        Self::of(Command::new(env!("CARGO_BIN_EXE_sextant")), home)
    }

    /// With ports of its own, and at the most this many open files.
    pub fn with_files(home: &Path, most: usize) -> Self {
        let mut command = Command::new("/bin/sh");
        let limited = format!("ulimit -n {most}; exec \"$0\" \"$@\"");
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_sextant")]);
        Self::of(command, home).on_its_own()
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "PostgreSQL's programs are found as the service finds them"
    )]
    fn of(mut command: Command, home: &Path) -> Self {
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", home)
            .current_dir(home)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        if let Some(programs) = std::env::var_os("PG_BIN_DIR") {
            command.env("PG_BIN_DIR", programs);
        }
        Self {
            home: home.to_owned(),
            command,
        }
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn argument(mut self, argument: &str) -> Self {
        self.command.arg(argument);
        self
    }

    /// Starts it without waiting.
    pub fn spawn(mut self) -> Starting {
        let log = self.home.join("stderr.log");
        let (out, err) = (
            Stdio::piped(),
            File::options().create(true).append(true).open(&log),
        );
        let mut child = self
            .command
            .stdout(out)
            .stderr(err.unwrap())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Starting {
            child,
            lines,
            home: self.home,
        }
    }

    /// Starts it and waits for its ready line.
    pub async fn start(self) -> Service {
        self.spawn().ready().await
    }

    /// Waits for a run that ends by itself: its exit status, standard output and standard error.
    pub async fn run_to_end(mut self) -> (ExitStatus, String, String) {
        let ended = timeout(PATIENCE, self.command.output()).await;
        let output = ended.unwrap().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status, text(output.stdout), text(output.stderr))
    }
}

/// A process that has not printed its ready line yet.
pub struct Starting {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    home: PathBuf,
}

impl Starting {
    pub fn pid(&self) -> Pid {
        pid_of(&self.child)
    }

    pub fn signal(&self, signal: Signal) {
        kill(pid_of(&self.child), signal).unwrap();
    }

    /// Waits for a line that begins with this; returns the rest of the line.
    pub async fn says(&mut self, beginning: &str) -> String {
        loop {
            let line = timeout(PATIENCE, self.lines.next_line()).await;
            let line = line.unwrap().unwrap();
            let line = line.unwrap_or_else(|| panic!("it ended: {}", log_in(&self.home)));
            if let Some(rest) = line.strip_prefix(beginning) {
                return rest.to_owned();
            }
        }
    }

    pub async fn ready(mut self) -> Service {
        let line = timeout(PATIENCE, self.lines.next_line()).await;
        let line = line.unwrap().unwrap();
        let line = line.unwrap_or_else(|| panic!("it ended: {}", log_in(&self.home)));
        let (console, agents) = line
            .strip_prefix(READY)
            .and_then(|rest| rest.split_once("  agents "))
            .unwrap_or_else(|| panic!("no ready line: {line}"));
        Service {
            console: console.to_owned(),
            agents: agents.to_owned(),
            client: crate::support::http::builder().build().unwrap(),
            run: self,
        }
    }

    /// Waits for the end; returns the exit status and the remaining lines of standard output.
    pub async fn wait_for_end(mut self) -> (ExitStatus, Vec<String>) {
        let status = timeout(PATIENCE, self.child.wait()).await;
        let status = status.unwrap().unwrap();
        let mut said = Vec::new();
        while let Some(line) = self.lines.next_line().await.unwrap() {
            said.push(line);
        }
        (status, said)
    }
}

impl Drop for Starting {
    /// When a test fails, the logs of the service and its database are printed.
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("the service's log:\n{}", log_in(&self.home));
            let server = fs::read_to_string(self.home.join("data/postgres.log"));
            println!("the database's log:\n{}", server.unwrap_or_default());
        }
    }
}

/// A process that is ready.
pub struct Service {
    /// `http://address:port` of the Console port.
    pub console: String,
    /// The address that agents are given.
    pub agents: String,
    client: reqwest::Client,
    run: Starting,
}

impl Service {
    pub fn pid(&self) -> Pid {
        pid_of(&self.run.child)
    }

    pub fn home(&self) -> &Path {
        &self.run.home
    }

    /// The private server's pid, from its own file.
    pub fn postgres(&self) -> Pid {
        postgres_of(self.home()).unwrap()
    }

    pub fn signal(&self, signal: Signal) {
        self.run.signal(signal);
    }

    /// Waits for its end; returns the exit status and the lines after the ready line.
    pub async fn wait_for_end(self) -> (ExitStatus, Vec<String>) {
        self.run.wait_for_end().await
    }

    /// Sends it a signal to stop; asserts that it exits successfully and the private server is gone.
    pub async fn stop(self, signal: Signal) {
        let (home, server) = (self.home().to_owned(), postgres_of(self.home()));
        self.signal(signal);
        let (status, said) = self.wait_for_end().await;
        assert!(status.success(), "{status}: {}", log_in(&home));
        assert!(said.is_empty(), "{said:?}");
        if let Some(server) = server {
            assert!(
                !is_running(server),
                "the server was left: {}",
                log_in(&home)
            );
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.console))
    }

    /// The answer of a route; asserts its status.
    pub async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
        status: u16,
    ) -> Value {
        let request = || {
            let request = self.request(method.clone(), path);
            match &body {
                Some(body) => request.json(body),
                None => request,
            }
        };
        let answer = match request().send().await {
            // The end of sessions may have cut the connection that the client kept; what changes nothing is asked once more.
            Err(_) if method == Method::GET => request().send().await,
            answer => answer,
        };
        let answer = answer.unwrap();
        let (given, text) = (answer.status(), answer.text().await.unwrap());
        assert_eq!(given.as_u16(), status, "{path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The status of `/healthz`; `None` while the port does not answer.
    pub async fn health(&self) -> Option<StatusCode> {
        let answer = self.request(Method::GET, "/healthz").send().await;
        answer.ok().map(|answer| answer.status())
    }

    pub async fn becomes(&self, status: u16) {
        eventually(&format!("health is {status}"), async || {
            self.health()
                .await
                .is_some_and(|given| given.as_u16() == status)
        })
        .await;
    }

    /// The key of a new agent.
    pub async fn key(&self, name: &str, sectors: &[&str]) -> String {
        let body = json!({ "name": name, "sectors": sectors });
        let made = self
            .call(Method::POST, "/api/agents", Some(body), 201)
            .await;
        made["key"].as_str().unwrap().to_owned()
    }

    /// A new push connection of this table.
    pub async fn device(&self, target: &str) -> Device {
        let (sector, _) = target.split_once('.').unwrap();
        let body =
            json!({ "provider": "push", "sector": sector, "table": target, "label": target });
        let made = self
            .call(Method::POST, "/api/connections", Some(body), 201)
            .await;
        Device {
            id: made["connections"][0]["id"].as_str().unwrap().to_owned(),
            secret: made["secret"].as_str().unwrap().to_owned(),
        }
    }

    /// A request that pushes `body`.
    pub fn push(&self, device: &Device, body: impl Into<reqwest::Body>) -> RequestBuilder {
        self.request(Method::POST, &device.path())
            .bearer_auth(&device.secret)
            .header("content-type", "application/json")
            .body(body)
    }

    /// The audit rows of one verb, newest first.
    pub async fn audit_rows(&self, tool: &str) -> Vec<Value> {
        let path = format!("/api/audit?limit=500&tool={tool}");
        let page = self.call(Method::GET, &path, None, 200).await;
        page["rows"].as_array().unwrap().clone()
    }
}

/// A push connection's id and secret.
#[derive(Clone)]
pub struct Device {
    pub id: String,
    pub secret: String,
}

impl Device {
    pub fn path(&self) -> String {
        format!("/api/ingest/{}", self.id)
    }
}

pub fn postgres_of(home: &Path) -> Option<Pid> {
    let file = home.join("data/postgres/data/postmaster.pid");
    let pid = fs::read_to_string(file)
        .ok()?
        .lines()
        .next()?
        .trim()
        .parse()
        .ok()?;
    Some(Pid::from_raw(pid))
}

/// The folder of the server's socket, from the fifth line of its own file.
pub fn postgres_socket(service: &Service) -> PathBuf {
    let file = service.home().join("data/postgres/data/postmaster.pid");
    fs::read_to_string(file)
        .unwrap()
        .lines()
        .nth(4)
        .unwrap()
        .into()
}

/// Whether the pid is a process that has not ended.
pub fn is_running(pid: Pid) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        !stat
            .rsplit(')')
            .next()
            .unwrap()
            .trim_start()
            .starts_with('Z')
    })
}

pub fn log_in(home: &Path) -> String {
    fs::read_to_string(home.join("stderr.log")).unwrap_or_default()
}

fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(child.id().unwrap().cast_signed())
}
