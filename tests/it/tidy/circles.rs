//! No two files use each other, neither directly nor by way of others: of any two, one can be read without the other.
//!
//! A file uses the one that defines what it names, wherever the name is taken from: what a head only re-exports, a file of its
//! folder may take from it. A parent's `pub use` of what its children hold is no use, nor is the name of a module alone.

mod modules;

use std::collections::{BTreeMap, BTreeSet};

use self::modules::Crate;
use super::source::{Source, assert_none, shipped};

/// The crates whose files are held to it.
const CRATES: [&str; 4] = ["formats/src/", "connectors/src/", "actors/src/", "src/"];

/// Which files each file uses.
type Uses<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The files that are used by `file`, by those that these use, and so on.
fn reached<'a>(uses: &Uses<'a>, file: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&str> = uses.get(file).into_iter().flatten().copied().collect();
    while let Some(next) = waiting.pop() {
        if reached.insert(next) {
            waiting.extend(uses.get(next).into_iter().flatten());
        }
    }
    reached
}

/// Each use that is part of a circle.
fn circles(folder: &str, sources: &[Source]) -> Vec<String> {
    let house = Crate::of(folder, sources);
    let uses = house.uses();
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses
        .keys()
        .map(|file| (*file, reached(&uses, file)))
        .collect();
    let returns = |file: &str, used: &str| reached.get(used).is_some_and(|all| all.contains(file));
    let each = uses.iter().flat_map(|(file, used)| {
        let used = used.iter().filter(|used| returns(file, used));
        used.map(move |used| format!("{file} uses {used}, and is used by it or by what it uses"))
    });
    each.collect()
}

#[test]
fn no_files_use_each_other() {
    let sources = shipped();
    for folder in CRATES {
        assert_none(circles(folder, &sources));
    }
}

/// How many uses of these files, by their names and texts, are part of a circle.
fn count(files: &[(&str, &str)]) -> usize {
    let sources: Vec<Source> = files
        .iter()
        .map(|(name, text)| Source::of(&format!("src/{name}.rs"), text))
        .collect();
    circles("src/", &sources).len()
}

#[test]
fn each_circle_is_seen() {
    let mutual = [
        ("a", "mod b; mod c;"),
        ("a/b", "use super::c::C; pub struct B;"),
        ("a/c", "fn f() { super::b::B }"),
    ];
    assert_eq!(count(&mutual), 2);
    let with_its_head = [
        ("a", "mod b; use self::b::B; struct A;"),
        ("a/b", "use crate::a::A;"),
    ];
    assert_eq!(count(&with_its_head), 2);
    let by_others = [
        ("a", "use crate::{b::B, d};"),
        ("b", "use crate::c::{self, E as Other};"),
        ("c", "use crate::a; fn f() { a::f() }"),
        ("d", ""),
    ];
    assert_eq!(count(&by_others), 3);
    let by_what_is_handed_on = [
        ("a", "mod b; mod c; pub use b::B;"),
        ("a/b", "use super::c::C;"),
        ("a/c", "use super::B;"),
    ];
    assert_eq!(count(&by_what_is_handed_on), 2);
}

#[test]
fn what_is_no_circle_passes() {
    let handed_on = [
        ("lib", "pub mod a;"),
        ("a", "mod b; mod c; pub use b::B; use self::c::C;"),
        ("a/b", "pub struct B; fn f() { B::new(); c::g() }"),
        ("a/c", "use super::B; use std::a::A;"),
    ];
    assert_eq!(count(&handed_on), 0);
    let module_alone = [
        ("a", "mod b; mod c; fn f() { b::f(); c::f() }"),
        ("a/b", "use crate::a; fn f() { a::c::f() }"),
        ("a/c", "#[cfg(test)]\nmod tests { use crate::a::A; }"),
    ];
    assert_eq!(count(&module_alone), 0);
}
