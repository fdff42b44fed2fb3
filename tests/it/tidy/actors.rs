//! Which rooms of the actors' crate use which: the table of actors/src/lib.rs, in which every room uses only rooms
//! above it in the list here.

use super::source::{Source, assert_none, broken, shipped};

/// Every room, from the bottom up, and the rooms that it may use: only those above it in this list.
const ROOMS: [(&str, &[&str]); 20] = [
    ("clock", &[]),
    ("random", &[]),
    ("backoff", &[]),
    ("limits", &["backoff"]),
    ("domain", &["limits", "random"]),
    ("entry", &["domain", "limits"]),
    ("ports", &["domain", "entry"]),
    ("port_calls", &["limits", "ports"]),
    ("supervise", &["backoff", "clock", "limits"]),
    ("published_grants", &["clock", "domain"]),
    ("issued_tokens", &["clock", "domain"]),
    ("audit_queue", &["entry", "limits", "ports"]),
    (
        "journal",
        &["audit_queue", "clock", "entry", "limits", "ports", "random"],
    ),
    (
        "audit",
        &[
            "audit_queue",
            "clock",
            "domain",
            "entry",
            "journal",
            "limits",
            "port_calls",
            "ports",
            "supervise",
        ],
    ),
    ("sign_ins", &["clock", "limits", "ports", "supervise"]),
    (
        "sync",
        &["clock", "limits", "port_calls", "ports", "supervise"],
    ),
    (
        "connections",
        &[
            "domain",
            "limits",
            "port_calls",
            "ports",
            "supervise",
            "sync",
        ],
    ),
    (
        "sessions",
        &[
            "audit",
            "clock",
            "domain",
            "limits",
            "ports",
            "published_grants",
            "random",
            "supervise",
        ],
    ),
    (
        "grants",
        &[
            "clock",
            "domain",
            "issued_tokens",
            "limits",
            "port_calls",
            "ports",
            "published_grants",
            "sessions",
            "supervise",
        ],
    ),
    (
        "tree",
        &[
            "audit",
            "clock",
            "connections",
            "grants",
            "issued_tokens",
            "journal",
            "limits",
            "ports",
            "published_grants",
            "sessions",
            "sign_ins",
            "supervise",
            "sync",
        ],
    ),
];

const FOLDER: &str = "actors/src/";
/// The root of the crate, which declares the rooms.
const ROOT: &str = "lib";

/// Lines in which a file of the crate names what its room may not use.
fn arrows(source: &Source) -> Vec<String> {
    let Some(room) = room_of(&source.path).filter(|room| *room != ROOT) else {
        return Vec::new();
    };
    let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
        return vec![format!(
            "{}: {room} is no room of {FOLDER}lib.rs",
            source.path
        )];
    };
    let lines = source.code.lines().enumerate();
    let named = lines.flat_map(|(at, line)| used_in(line).map(move |used| (at + 1, used)));
    named
        .filter(|(_, used)| *used != room && !allowed.contains(used))
        .map(|(at, used)| match used {
            "" => format!(
                "{}:{at}: one `use crate::` a room, so that this test sees it",
                source.path
            ),
            used => format!("{}:{at}: {room} must not use {used}", source.path),
        })
        .collect()
}

/// The room of a file of the crate; `None` for other files.
fn room_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix(FOLDER)?;
    let first = inside.split('/').next()?;
    Some(first.strip_suffix(".rs").unwrap_or(first))
}

/// The rooms that a line names after `crate::`; an empty name where a group or a glob follows.
fn used_in(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

#[test]
fn each_room_of_the_actors_uses_only_rooms_below_it() {
    let sources = shipped();
    assert_none(broken(&sources, arrows));
    let rooms = sources.iter().filter_map(|source| room_of(&source.path));
    let found: std::collections::BTreeSet<&str> = rooms.filter(|room| *room != ROOT).collect();
    let listed = ROOMS.iter().map(|(room, _)| *room).collect();
    assert_eq!(
        found, listed,
        "every room is in the list, and no other name"
    );
}

#[test]
fn the_list_itself_has_no_arrow_upwards() {
    for (place, (room, allowed)) in ROOMS.iter().enumerate() {
        for used in *allowed {
            let below = ROOMS[..place].iter().any(|(lower, _)| lower == used);
            assert!(below, "{room} uses {used}, which is not below it");
        }
    }
}

#[test]
fn an_arrow_upwards_an_unknown_room_and_a_group_are_seen() {
    let count = |path: &str, text: &str| broken(&[Source::of(path, text)], arrows).len();
    assert_eq!(
        count("actors/src/ports.rs", "use crate::audit::AuditHandle;"),
        1
    );
    assert_eq!(
        count(
            "actors/src/sessions/gate.rs",
            "fn f(_: crate::grants::GrantsHandle, _: crate::domain::Call) {}"
        ),
        1
    );
    assert_eq!(count("actors/src/cellar.rs", ""), 1);
    assert_eq!(
        count(
            "actors/src/domain/key.rs",
            "use crate::{random, grants::Edited};"
        ),
        1
    );
    assert_eq!(count("actors/src/domain/key.rs", "use crate::*;"), 1);
    assert_eq!(
        count(
            "actors/src/domain/key.rs",
            "use crate::random; // crate::tree"
        ),
        0
    );
    assert_eq!(count("src/http.rs", "use crate::anything;"), 0);
}
