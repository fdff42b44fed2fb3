//! The protocol's own conformance suite as a process, and its report.

use std::collections::BTreeSet;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tempfile::NamedTempFile;
use tokio::process::Command;

use crate::support::skipped;

/// Where `tests/peers/install.sh` installs Node and the suite.
const NODE: &str = "target/peers/node/node";
const SUITE: &str =
    "target/peers/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js";
/// Where the lists of expected failures are.
const LISTS: &str = "tests/peers/conformance";

/// How long a run of all scenarios may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(300);
/// How long one scenario may take, in milliseconds.
const SCENARIO_WAIT_MS: &str = "30000";

fn path(relative: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// Whether the suite is installed; it may be missing on a developer's machine, and never in CI.
pub fn installed(test: &str) -> bool {
    let is_there = path(NODE).exists() && path(SUITE).exists();
    if !is_there {
        skipped::for_want_of(test, "the suite is missing; run tests/peers/install.sh");
    }
    is_there
}

/// Checks that are known to fail, each as `scenario:check`.
pub struct Expected(BTreeSet<String>);

impl Expected {
    /// The union of these lists.
    pub fn of(lists: &[&str]) -> Self {
        let texts = lists.iter().map(|list| {
            let list = path(LISTS).join(list);
            std::fs::read_to_string(list).unwrap()
        });
        let entries = texts.flat_map(|text| entries(&text, "  - "));
        Self(entries.collect())
    }

    /// The list as a file in the suite's format.
    fn file(&self) -> NamedTempFile {
        let mut file = NamedTempFile::with_suffix(".yml").unwrap();
        writeln!(file, "server:").unwrap();
        for entry in &self.0 {
            writeln!(file, "  - {entry}").unwrap();
        }
        file
    }

    /// Asserts that each has failed at some revision: an entry that never fails would hide a later failure.
    pub fn all_occurred(&self, reports: &[Report]) {
        let occurred: BTreeSet<String> = reports
            .iter()
            .flat_map(|report| entries(&report.words, "  ~ "))
            .collect();
        let idle: Vec<&String> = self.0.difference(&occurred).collect();
        assert!(idle.is_empty(), "listed, and failed nowhere: {idle:?}");
    }
}

fn entries(text: &str, mark: &str) -> Vec<String> {
    let marked = text.lines().filter_map(|line| line.strip_prefix(mark));
    marked.map(|entry| entry.trim().to_owned()).collect()
}

/// The suite's report on one revision.
pub struct Report {
    words: String,
}

impl Report {
    /// Asserts that this many checks of the scenario passed.
    pub fn has_passed(&self, scenario: &str, checks: usize) {
        let part = format!(" {scenario}: {checks} passed,");
        assert!(self.words.contains(&part), "no{part:?} in:\n{}", self.words);
    }
}

/// Runs every scenario of `revision` against the server at `address`. Every failure must be in `expected`, and every
/// check in `expected` that is run must fail.
pub async fn run(address: SocketAddr, revision: &str, expected: &Expected) -> Report {
    let expected = expected.file();
    let running = Command::new(path(NODE))
        .arg(path(SUITE))
        .args(["server", "--suite", "all", "--timeout", SCENARIO_WAIT_MS])
        .args(["--url", &format!("http://localhost:{}/mcp", address.port())])
        .args(["--spec-version", revision])
        .arg("--expected-failures")
        .arg(expected.path())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let ended = tokio::time::timeout(PATIENCE, running).await;
    let ended = ended.unwrap_or_else(|_| panic!("{revision}: the suite does not end"));
    let ended = ended.unwrap();
    let words = String::from_utf8(ended.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{revision}:\n{words}\n{complaint}");
    Report { words }
}
