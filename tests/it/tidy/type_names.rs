//! One type name means one thing: no two rooms define a type of the same name, in the library or in the crates beside it. Within
//! a room a name may repeat in its tests, and an associated type is named by its trait.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Source, assert_none, shipped};

/// The crates whose types share one language.
const CRATES: [&str; 4] = ["src/", "actors/src/", "connectors/src/", "formats/src/"];
/// Names that several rooms may define, each with the reason.
const ALLOWED: [(&str, &str); 0] = [];
/// The top-level module of a crate that a file belongs to.
fn room_of(path: &str) -> Option<(&str, &str)> {
    let (home, rest) = CRATES
        .iter()
        .find_map(|home| Some((*home, path.strip_prefix(home)?)))?;
    let first = rest.split('/').next()?;
    Some((home, first.strip_suffix(".rs").unwrap_or(first)))
}

/// The name of the type that a line defines at the top level of its file.
fn defined(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().peekable();
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    if words.peek().is_some_and(|word| word.starts_with("pub")) {
        words.next();
        // `pub(in some::room)` is two words.
        words.next_if(|word| word.ends_with(')'));
    }
    let kind = words.next()?;
    let is_type = matches!(kind, "struct" | "enum" | "trait" | "type" | "union");
    let name = words.next()?;
    let end = name
        .find(|each: char| !each.is_alphanumeric())
        .unwrap_or(name.len());
    is_type.then(|| &name[..end])
}

/// Every name that more than one room defines.
fn shared(sources: &[Source]) -> BTreeMap<&str, BTreeSet<String>> {
    let mut rooms = BTreeMap::<&str, BTreeSet<String>>::new();
    for source in sources {
        let Some((home, room)) = room_of(&source.path) else {
            continue;
        };
        for name in source.code.lines().filter_map(defined) {
            let of_name = rooms.entry(name).or_default();
            of_name.insert(format!("{home}{room}"));
        }
    }
    rooms.retain(|_, rooms| rooms.len() > 1);
    rooms
}

fn colliding(sources: &[Source], excepted: &[&str]) -> Vec<String> {
    let shared = shared(sources).into_iter();
    let refused = shared.filter(|(name, _)| !excepted.contains(name));
    refused
        .map(|(name, rooms)| {
            format!("{name} is defined in {rooms:?}: one of them is another thing")
        })
        .collect()
}

#[test]
fn a_type_name_means_one_thing() {
    let sources = shipped();
    let excepted: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    assert_none(colliding(&sources, &excepted));
}

#[test]
fn a_name_that_two_rooms_define_is_seen() {
    let one = Source::of("src/store/a.rs", "pub(super) struct Place<'a>(&'a str);\n");
    let same_room = Source::of("src/store/b/c.rs", "struct Place;\n");
    let other_room = Source::of("src/query.rs", "pub enum Place {\n    Here,\n}\n");
    let other_crate = Source::of("actors/src/audit_queue.rs", "type Place = u64;\n");
    let inner = "impl Iterator for A {\n    type Place = u64;\n}\n#[cfg(test)]\nmod tests {\nstruct Place;\n}\n";
    let inner = Source::of("src/cli/d.rs", inner);
    let count = |sources: &[Source]| colliding(sources, &[]).len();
    assert_eq!(count(&[one, same_room, inner]), 0);
    let one = Source::of(
        "src/store/a.rs",
        "pub(in crate::store) trait Place: Sized {}\n",
    );
    assert_eq!(colliding(&[one, other_room], &["Place"]).len(), 0);
    for other in [
        Source::of("src/query.rs", "pub enum Place {\n    Here,\n}\n"),
        other_crate,
    ] {
        let one = Source::of(
            "src/store/a.rs",
            "pub(in crate::store) trait Place: Sized {}\n",
        );
        assert_eq!(count(&[one, other]), 1);
    }
}
