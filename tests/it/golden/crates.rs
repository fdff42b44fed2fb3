//! `static/crates.txt`: the crates that are built into the program, with their licences, for the notices of the Console.

use std::process::Command;

use crate::support::golden::assert_kept;
use crate::support::skipped;

/// The system of the packages; others have a few crates of their own.
const TARGET: &str = "x86_64-unknown-linux-gnu";

#[test]
fn the_notices_name_each_crate_that_is_built_in() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        // Another system may not have fetched all of them.
        skipped::for_want_of("golden::crates", "the crates of 64-bit Linux on x86");
        return;
    }
    let flags = "tree --locked --offline --package sextant --edges normal --prefix none --format {p}|{l} --target";
    let told = Command::new(env!("CARGO"))
        .args(flags.split(' '))
        .arg(TARGET)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{errors}");
    let told = String::from_utf8(told.stdout).unwrap();
    // The project's own crates have a path behind their versions, and a repeated one has a star.
    let crates = told.lines().map(|line| line.trim_end_matches(" (*)"));
    let crates = crates.filter(|line| !line.contains(" (/"));
    let mut listed: Vec<String> = crates
        .map(|line| line.replacen(" v", " ", 1).replace(" (proc-macro)", "") + "\n")
        .collect();
    listed.sort_unstable();
    listed.dedup();
    assert!(listed.len() > 100, "{told}");
    assert_kept("static/crates.txt", &listed.concat());
}
