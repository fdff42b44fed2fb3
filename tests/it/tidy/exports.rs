//! The library exports what its tests, benchmarks, fuzz targets and `main` name, and nothing else.

use std::collections::BTreeSet;

use super::scan::scan;
use super::source::{Source, all, assert_none};

/// Whether the file is outside the library's crate and compiled against it.
fn is_outside(source: &Source) -> bool {
    source.path == "src/main.rs" || source.is_under(&["tests/", "benches/", "fuzz/"])
}

/// The names that code outside the library uses, and those of them that occur in a path (`a::b`).
fn named(sources: &[Source]) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut names, mut steps) = (BTreeSet::new(), BTreeSet::new());
    for source in sources.iter().filter(|source| is_outside(source)) {
        let (code, _) = scan(&source.text);
        let is_sign = |each: char| !each.is_alphanumeric() && each != '_' && each != ':';
        for path in code.split(is_sign) {
            let words = path.split("::").filter(|word| !word.is_empty());
            let words: Vec<String> = words.map(str::to_owned).collect();
            let ends_open = path.ends_with("::");
            steps.extend(
                (words.len() > 1 || ends_open)
                    .then(|| words.clone())
                    .into_iter()
                    .flatten(),
            );
            names.extend(words);
        }
    }
    (names, steps)
}

/// The file of a module, by its path below `src/`.
fn file_of(module: &str) -> String {
    format!("src/{module}.rs")
}

/// Whether a line exports a module or another named item to other crates, and its name.
fn shown(line: &str) -> Option<(bool, &str)> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let mut words = rest
        .split_whitespace()
        .skip_while(|word| matches!(*word, "async"));
    let kind = match (words.next()?, words.clone().next()) {
        ("const", Some("fn")) => words.next()?,
        (kind, _) => kind,
    };
    let is_item = matches!(kind, "mod" | "fn" | "const" | "static");
    let name = words
        .next()?
        .split(|each: char| !each.is_alphanumeric() && each != '_')
        .next()?;
    is_item.then_some((kind == "mod", name))
}

/// What the public modules export and no file outside names. A type may occur in the signature of what is named, so
/// types are left to the compiler (`private_interfaces`).
fn unnamed(sources: &[Source]) -> Vec<String> {
    let (names, steps) = named(sources);
    let mut waiting = vec![("lib".to_owned(), String::new())];
    let mut found = Vec::new();
    while let Some((module, prefix)) = waiting.pop() {
        let path = file_of(&module);
        let lines = sources.iter().find(|source| source.path == path);
        for (at, line) in lines
            .iter()
            .flat_map(|source| source.code.lines().enumerate())
        {
            let Some((is_module, name)) = shown(line) else {
                continue;
            };
            if is_module {
                waiting.push((format!("{prefix}{name}"), format!("{prefix}{name}/")));
            }
            if !(if is_module { &steps } else { &names }).contains(name) {
                found.push(format!(
                    "{path}:{}: nothing outside the library names {name}",
                    at + 1
                ));
            }
        }
    }
    found
}

#[test]
fn the_library_shows_what_is_named_outside_of_it() {
    assert_none(unnamed(&all()));
}

#[test]
fn what_is_shown_to_nobody_is_seen() {
    let sources = [
        Source::of("src/lib.rs", "pub mod a;\npub mod b;\nmod c;"),
        Source::of(
            "src/a.rs",
            "pub mod d;\npub const fn one() {}\npub(crate) fn two() {}\npub const THREE: u8 = 3;",
        ),
        Source::of(
            "src/a/d.rs",
            "impl T {\n    pub async fn four() {}\n}\npub fn five() {}",
        ),
        Source::of("src/c.rs", "pub fn six() {}"),
        Source::of(
            "tests/it/x.rs",
            "use sextant::a::{d::four, one}; fn b() {} // five, THREE",
        ),
    ];
    assert_eq!(
        unnamed(&sources),
        [
            "src/lib.rs:2: nothing outside the library names b",
            "src/a.rs:4: nothing outside the library names THREE",
            "src/a/d.rs:4: nothing outside the library names five",
        ]
    );
}
