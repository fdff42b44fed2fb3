//! The peer: a python script over python-dateutil.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use chrono_tz::Tz;
use serde::Deserialize;

const SCRIPT: &str = "tests/peers/occurrences.py";

/// What the peer says of one series.
#[derive(Deserialize)]
pub struct Expanded {
    /// Absent when the peer cannot read the series.
    pub occurrences: Option<Vec<String>>,
}

/// By file, then by series. `None` when the peer is absent, which fails under `CI=true`.
pub fn expanded(
    files: &[PathBuf],
    operator_zone: Tz,
    now: &str,
) -> Option<BTreeMap<String, BTreeMap<String, Expanded>>> {
    if !is_present() {
        skip("python3 with dateutil is not installed");
        return None;
    }
    let output = Command::new("python3")
        .args([SCRIPT, now, operator_zone.name()])
        .args(files)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn is_present() -> bool {
    let probe = Command::new("python3")
        .args(["-c", "import dateutil, zoneinfo"])
        .output();
    probe.is_ok_and(|output| output.status.success())
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test asks for CI, not for configuration"
)]
fn skip(why: &str) {
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "the peer is required: {why}"
    );
    let mut uncaptured = std::io::stderr();
    writeln!(uncaptured, "SKIPPED occurrences peer: {why}").unwrap();
}
