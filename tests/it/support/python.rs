//! The Python interpreter with the packages that the reference implementations in `tests/peers` need.

use std::path::PathBuf;
use std::process::Command;

use serde::de::DeserializeOwned;

use super::skipped;

/// Where `tests/peers/install.sh` installs the interpreter.
const PYTHON: &str = "target/peers/python/bin/python";

/// The path of the interpreter.
pub fn interpreter() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(PYTHON)
}

/// Runs a script of `tests/peers` with the arguments `words` on `files`, and parses its output.
pub fn run<T: DeserializeOwned>(script: &str, words: &[&str], files: &[PathBuf]) -> T {
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

/// Whether it is installed; it may be missing on a developer's machine, and never in CI.
pub fn installed(test: &str) -> bool {
    let is_there = interpreter().exists();
    if !is_there {
        skipped::for_want_of(test, "its peer is missing; run tests/peers/install.sh");
    }
    is_there
}
