//! Servers that run on Node 24, as `tests/peers/install.sh` left them: each a process of its own, which says when it listens.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::skipped;

const READY_WITHIN: Duration = Duration::from_secs(60);

/// The process. It is killed on drop.
pub struct NodePeer {
    _process: Child,
}

/// The root of the repository; the tests of two crates use this file.
pub fn root() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("tests/peers").is_dir());
    root.unwrap()
}

fn packages() -> PathBuf {
    root().join("target/peers/sign-in")
}

/// Whether the servers are here; if not, `test` is reported as skipped.
pub fn is_here(test: &str) -> bool {
    let is_here = packages().join("installed").exists();
    if !is_here {
        let why = "the servers at which one signs in are missing; run tests/peers/install.sh";
        skipped::for_want_of(test, why);
    }
    is_here
}

impl NodePeer {
    /// Runs a script, and waits for the line of its output of which `ready` makes something.
    pub async fn start<T>(
        script: &str,
        arguments: &[&str],
        environment: &[(&str, &str)],
        ready: impl Fn(&str) -> Option<T>,
    ) -> (Self, T) {
        let mut process = Command::new(root().join("target/peers/node-24/node"))
            .arg(script)
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(packages())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let found = async {
            loop {
                let line = lines.next_line().await.unwrap();
                let line = line.unwrap_or_else(|| panic!("{script} ended before it was ready"));
                if let Some(found) = ready(&line) {
                    return found;
                }
            }
        };
        let found = timeout(READY_WITHIN, found).await.unwrap();
        // What it says later is read too, so that it never waits for a reader.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        (Self { _process: process }, found)
    }
}
