//! The Python that has the tests' peers.

use std::path::PathBuf;
use std::process::Command;

use serde::de::DeserializeOwned;

use super::skipped;

/// Where `tests/peers/install.sh` puts the interpreter that has the peers.
const PYTHON: &str = "target/peers/python/bin/python";

/// The interpreter that has the peers.
pub fn interpreter() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(PYTHON)
}

/// What a script of the peers, told `words`, has to say of `files`.
pub fn told<T: DeserializeOwned>(script: &str, words: &[&str], files: &[PathBuf]) -> T {
    let output = Command::new(interpreter())
        .arg(script)
        .args(words)
        .args(files)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Whether it is there; it may be missing on a developer's machine, and never in CI.
pub fn installed(test: &str) -> bool {
    let is_there = interpreter().exists();
    if !is_there {
        skipped::for_want_of(test, "its peer is missing; run tests/peers/install.sh");
    }
    is_there
}
