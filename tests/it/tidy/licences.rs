//! Every crate that is linked in has a permissive licence, no copyleft, according to its own manifest.
//!
//! Reads what cargo has already fetched for this system, so it needs no network.

use std::process::Command;

use serde_json::Value;

use super::source::{assert_none, root};

/// Permissive licences by their SPDX names. Adding one is a decision.
const PERMISSIVE: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The only exception clause accepted: it only removes conditions.
const EXCEPTION: &str = "LLVM-exception";

/// What only tests are built with, under a licence that binds its own files alone (MPL-2.0): the protocol of the browser's driver.
const OF_TESTS: &str = "webdriver";

/// Whether an SPDX expression can be met by permissive licences alone: `OR` needs one side, `AND` both.
fn is_permissive(expression: &str) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut place = 0;
    any(&words, &mut place) && place == words.len()
}

fn any(words: &[&str], place: &mut usize) -> bool {
    let mut met = both(words, place);
    while words.get(*place) == Some(&"OR") {
        *place += 1;
        met = both(words, place) || met;
    }
    met
}

fn both(words: &[&str], place: &mut usize) -> bool {
    let mut met = one(words, place);
    while words.get(*place) == Some(&"AND") {
        *place += 1;
        met = one(words, place) && met;
    }
    met
}

fn one(words: &[&str], place: &mut usize) -> bool {
    let word = words.get(*place).copied().unwrap_or_default();
    *place += 1;
    if word == "(" {
        let met = any(words, place);
        let is_closed = words.get(*place) == Some(&")");
        *place += 1;
        return met && is_closed;
    }
    let mut met = PERMISSIVE.contains(&word);
    if words.get(*place) == Some(&"WITH") {
        met = met && words.get(*place + 1) == Some(&EXCEPTION);
        *place += 2;
    }
    met
}

fn cargo(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {errors}");
    output.stdout
}

/// The packages of the lock file that this system builds, with their metadata from cargo.
fn packages() -> Vec<Value> {
    let version = String::from_utf8(cargo(&["-vV"])).unwrap();
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap();
    let flags = [
        "metadata",
        "--offline",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
    ];
    let metadata = cargo(&[flags.as_slice(), &[host]].concat());
    let metadata: Value = serde_json::from_slice(&metadata).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

#[test]
fn what_only_tests_are_built_with_is_not_in_the_program() {
    let flags = [
        "tree",
        "--offline",
        "--locked",
        "--package",
        "sextant",
        "--prefix",
        "none",
    ];
    let edges = |edges| cargo(&[flags.as_slice(), &["--edges", edges]].concat());
    let names = |tree: Vec<u8>| {
        let tree = String::from_utf8(tree).unwrap();
        tree.lines()
            .any(|line| line.starts_with(&format!("{OF_TESTS} ")))
    };
    assert!(names(edges("normal,dev")));
    assert!(!names(edges("normal,build")));
}

#[test]
fn every_crate_has_a_permissive_licence() {
    let packages = packages();
    assert!(
        packages.len() > 100,
        "cargo names only {} packages",
        packages.len()
    );
    let broken = packages
        .iter()
        .filter(|package| package["name"] != OF_TESTS)
        .filter(|package| !is_permissive(package["license"].as_str().unwrap_or_default()));
    assert_none(
        broken
            .map(|package| {
                format!(
                    "{} {}: {}",
                    package["name"], package["version"], package["license"]
                )
            })
            .collect(),
    );
}

#[test]
fn copyleft_is_seen_however_it_is_written() {
    for fine in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR GPL-2.0) AND ISC",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(is_permissive(fine), "{fine}");
    }
    for bad in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0-only",
        "AGPL-3.0 OR LGPL-3.0",
        "(MIT",
        "MIT)",
        "GPL-2.0 WITH LLVM-exception",
        "SSPL-1.0",
    ] {
        assert!(!is_permissive(bad), "{bad}");
    }
}
