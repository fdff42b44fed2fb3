//! Every function that a file exports is named in another file; otherwise it is private, or removed.

use std::collections::{BTreeMap, BTreeSet};

use super::scan::scan;
use super::source::{Source, all, assert_none};

/// The words of each file's code, its tests included.
fn words(sources: &[Source]) -> BTreeMap<&str, BTreeSet<String>> {
    let of = |source: &Source| {
        let (code, _) = scan(&source.text);
        let words = code.split(|each: char| !each.is_alphanumeric() && each != '_');
        words.map(str::to_owned).collect()
    };
    let each = sources.iter();
    each.map(|source| (source.path.as_str(), of(source)))
        .collect()
}

/// The name of a function that this line of code exports.
fn shown(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = match rest.strip_prefix('(') {
        Some(within) => within.split_once(')')?.1,
        None => rest,
    };
    let (words, rest) = rest.split_once("fn ")?;
    let is_word = |word| matches!(word, "const" | "async");
    let is_one = words.split_whitespace().all(is_word) && words.starts_with(' ');
    let end = rest.find(['(', '<'])?;
    is_one.then(|| rest.get(..end))?
}

fn unnamed(sources: &[Source]) -> Vec<String> {
    let words = words(sources);
    let shipped = sources.iter().filter(|source| !source.is_test());
    let mut found = Vec::new();
    for source in shipped {
        let elsewhere = |name: &str| {
            let mut others = words.iter().filter(|(path, _)| **path != source.path);
            others.any(|(_, words)| words.contains(name))
        };
        for (at, line) in source.code.lines().enumerate() {
            if let Some(name) = shown(line).filter(|name| !elsewhere(name)) {
                found.push(format!(
                    "{}:{}: no other file names {name}",
                    source.path,
                    at + 1
                ));
            }
        }
    }
    found
}

#[test]
fn each_function_that_is_shown_is_named_elsewhere() {
    assert_none(unnamed(&all()));
}

#[test]
fn a_function_that_nobody_names_is_seen() {
    let sources = [
        Source::of(
            "src/a.rs",
            "pub fn one() {}\n    pub(crate) const fn two() {}\npub async fn three<T>() { one() }\nfn four() {}",
        ),
        Source::of("src/b.rs", "fn f() { super::a::two(); } // one, three"),
        Source::of("tests/c.rs", "pub fn five() {}"),
    ];
    assert_eq!(
        unnamed(&sources),
        [
            "src/a.rs:1: no other file names one",
            "src/a.rs:3: no other file names three"
        ]
    );
}
