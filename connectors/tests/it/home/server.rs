//! Home Assistant with its demo world, as `tests/peers/install.sh` left it: a process of its own on a free port.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use crate::support::{ports, skipped};

/// The process. It is killed on drop.
pub struct HomeServer {
    pub port: u16,
    pub token: String,
    folder: tempfile::TempDir,
    process: Child,
}

impl HomeServer {
    /// Starts one with a copy of the seeded home; `None` where it is not installed.
    pub async fn start(test: &str) -> Option<Self> {
        let seed = peers().join("home");
        let Ok(token) = std::fs::read_to_string(seed.join("token")) else {
            skipped::for_want_of(test, "Home Assistant: run tests/peers/install.sh");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        copy(&seed, folder.path());
        let port = ports::unused();
        let process = launch(folder.path(), port);
        let server = Self {
            port,
            token,
            folder,
            process,
        };
        server.wait_until_answering().await;
        Some(server)
    }

    /// Stops it, as a shutdown does.
    pub async fn stop(&mut self) {
        let pid = self.process.id().unwrap().to_string();
        let told = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(told.await.unwrap().success());
        let ended = timeout(Duration::from_secs(60), self.process.wait()).await;
        ended.unwrap().unwrap();
    }

    /// Starts it again, at the same port with the same data.
    pub fn start_again(&mut self) {
        self.process = launch(self.folder.path(), self.port);
    }

    /// What its API answers to a request without a connector: plain HTTP.
    pub async fn rest(&self, method: &str, path: &str, body: &str) -> Option<Value> {
        let (port, token, length) = (self.port, &self.token, body.len());
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
        let request = format!(
            "{method} {path} HTTP/1.0\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.ok()?;
        let (_, body) = answer.split_once("\r\n\r\n")?;
        serde_json::from_str(body).ok()
    }

    async fn wait_until_answering(&self) {
        let answering = async {
            while !self.runs().await {
                sleep(Duration::from_millis(100)).await;
            }
        };
        let started = timeout(Duration::from_secs(120), answering).await;
        started.unwrap();
    }

    async fn runs(&self) -> bool {
        let config = self.rest("GET", "/api/config", "").await;
        config.is_some_and(|config| config["state"] == "RUNNING")
    }
}

/// Below the root of the repository; the tests of two crates use this file.
fn peers() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("tests/peers").is_dir());
    root.unwrap().join("target/peers")
}

fn launch(folder: &Path, port: u16) -> Child {
    let log = std::fs::File::create(folder.join("output")).unwrap();
    Command::new(peers().join("home-assistant/bin/hass"))
        .arg("-c")
        .arg(folder)
        .env("HOME_PORT", port.to_string())
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
