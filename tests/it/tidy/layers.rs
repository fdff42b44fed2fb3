//! Which modules may use which: a room uses only rooms below it, and each use is listed.

mod maps;
pub mod paths;
mod rooms;

use self::paths::{named, room_of};
use self::rooms::{CRATES, ROOMS, Room, WATCHED, room};
use super::source::{Source, assert_none, broken, shipped, text_of};

/// The surfaces; none may import another.
const SURFACES: [&str; 5] = ["console", "ingest", "mcp", "read_mirror", "bridge"];

/// The watched crates that a manifest depends on without being listed with them.
fn beyond(manifest: &str, allowed: &[&str]) -> Vec<String> {
    let table: toml::Table = manifest.parse().unwrap();
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let names = sections
        .iter()
        .filter_map(|section| table.get(*section)?.as_table());
    let names = names.flat_map(|section| section.keys());
    let names = names.map(|name| name.replace('-', "_"));
    names
        .filter(|name| WATCHED.contains(&name.as_str()) && !allowed.contains(&name.as_str()))
        .collect()
}

/// The crates of the workspace that are not in the list.
fn unlisted_crates(manifest: &str) -> Vec<String> {
    let table: toml::Table = manifest.parse().unwrap();
    let members = table["workspace"]["members"].as_array().unwrap();
    let members = members.iter().filter_map(toml::Value::as_str);
    members
        .filter(|member| CRATES.iter().all(|(folder, _)| folder != member))
        .map(str::to_owned)
        .collect()
}

fn surfaces(source: &Source) -> Vec<String> {
    let Some(own) = SURFACES.iter().find(|surface| {
        source.path == format!("src/http/{surface}.rs")
            || source.path.starts_with(&format!("src/http/{surface}/"))
    }) else {
        return Vec::new();
    };
    let others: Vec<String> = SURFACES
        .iter()
        .filter(|surface| surface != &own)
        .flat_map(|other| {
            [
                format!("http::{other}::"),
                format!("super::{other}::"),
                format!("super::super::{other}::"),
            ]
        })
        .collect();
    let words: Vec<&str> = others.iter().map(String::as_str).collect();
    source.places_of(&words, "a surface never imports another")
}

fn connectors(source: &Source) -> Vec<String> {
    if !source.is_under(&["src/connectors"]) {
        return Vec::new();
    }
    let words = [
        "crate::db",
        "crate::store",
        "tokio_postgres",
        "sextant_actors",
        "actix::",
    ];
    source.places_of(&words, "connectors know neither database nor actor")
}

/// Uses of rooms and crates that are not listed for this file's room.
fn listed(source: &Source) -> Vec<String> {
    let Some(own) = room_of(&source.path) else {
        return Vec::new();
    };
    let Some(room) = ROOMS.iter().find(|room| room.name == own) else {
        return vec![format!("{}: {own} is no room of the list", source.path)];
    };
    let named = named(source);
    let rooms = named.rooms.iter();
    let rooms = rooms.filter(|(_, other)| other != own && !room.uses().any(|used| used == other));
    let crates = named.crates.iter();
    let crates = crates.filter(|(_, other)| room.crates().all(|allowed| allowed != other));
    let place = |line: &usize| format!("{}:{line}", source.path);
    let unlisted = rooms
        .chain(crates)
        .map(|(line, other)| format!("{}: {own} may not use {other}", place(line)));
    let refused = named.refused.iter();
    let refused = refused.map(|(line, why)| format!("{}: {why}", place(line)));
    unlisted.chain(refused).collect()
}

/// Listed uses that point upwards, to nothing, or to what no file of the room names.
fn idle(rooms: &[Room], sources: &[Source]) -> Vec<String> {
    let each = rooms.iter().enumerate().flat_map(|(at, room)| {
        let of_room = sources
            .iter()
            .filter(|source| room_of(&source.path) == Some(room.name));
        let named: Vec<_> = of_room.map(named).collect();
        let is_below = move |other: &str| rooms[at + 1..].iter().any(|room| room.name == other);
        let uses = |other: &str| {
            let mut rooms = named.iter().flat_map(|named| &named.rooms);
            rooms.any(|(_, name)| name == other)
        };
        let names = |other: &str| {
            let mut crates = named.iter().flat_map(|named| &named.crates);
            crates.any(|(_, name)| name == other)
        };
        let upward = room.uses().filter(|other| !is_below(other));
        let upward = upward.map(|other| format!("{}: {other} is not below it", room.name));
        let unused = room.uses().filter(|other| !uses(other));
        let unnamed = room.crates().filter(|other| !names(other));
        let idle = unused.chain(unnamed);
        let idle = idle.map(|other| format!("{} does not use {other} any more", room.name));
        upward.chain(idle).collect::<Vec<_>>()
    });
    each.collect()
}

/// Handles own time-outs and errors, so nobody else holds an actor's address.
fn addresses(source: &Source) -> Vec<String> {
    if source.is_under(&["actors/"]) {
        return Vec::new();
    }
    let words = [
        "Addr<",
        "actix::Addr",
        "Recipient<",
        ".do_send(",
        "MailboxError",
    ];
    source.places_of(&words, "only handles leave actors/")
}

#[test]
fn the_actors_name_no_http_no_sql_no_provider() {
    assert_none(unlisted_crates(&text_of("Cargo.toml")));
    for (folder, allowed) in CRATES {
        assert_none(beyond(&text_of(&format!("{folder}/Cargo.toml")), allowed));
    }
}

#[test]
fn arrows_go_down() {
    let sources = shipped();
    for rule in [surfaces, connectors, listed, addresses] {
        assert_none(broken(&sources, rule));
    }
    assert_none(idle(ROOMS, &sources));
}

/// How many times a file with this text breaks the rule.
fn count(path: &str, text: &str, rule: fn(&Source) -> Vec<String>) -> usize {
    broken(&[Source::of(path, text)], rule).len()
}

#[test]
fn each_arrow_upwards_is_seen() {
    let upward = [
        ("src/db/pool.rs", "use crate::store::agents;"),
        ("src/store/agents.rs", "use crate::http::problem;"),
        (
            "src/store/agents.rs",
            "fn f() { crate::http::problem::p() }",
        ),
        ("src/store/agents.rs", "pub use crate::http::problem;"),
        ("src/store.rs", "fn f(e: crate::query::fault::Fault) {}"),
        ("src/main.rs", "fn main() { sextant::app::run() }"),
    ];
    for (path, text) in upward {
        assert_eq!(count(path, text, listed), 1, "{path}: {text}");
    }
    let downward = [
        ("src/http/problem.rs", "use crate::query::QueryError;"),
        (
            "src/query/check/group.rs",
            "use crate::query::fault::Fault;",
        ),
        (
            "src/query/check/group.rs",
            "use super::super::fault::Fault;",
        ),
        ("src/main.rs", "fn main() { sextant::cli::run() }"),
        (
            "src/query/run.rs",
            "#[cfg(test)] pub mod tests { use super::*; }",
        ),
        (
            "src/db/pool.rs",
            "/// As [`crate::store`].\npub(crate) const A: &str = \"crate::http::x\";",
        ),
    ];
    for (path, text) in downward {
        assert_eq!(
            broken(&[Source::of(path, text)], listed),
            [""; 0],
            "{path}: {text}"
        );
    }
}

#[test]
fn a_room_or_a_crate_that_is_not_listed_is_seen() {
    let unlisted = [
        ("src/cellar.rs", "use crate::db::pool;"),
        ("src/cellar/a.rs", ""),
        ("src/app.rs", "use crate::cellar;"),
        ("src/app.rs", "fn f() { crate::Helper::new() }"),
        ("src/statements/write.rs", "use tokio_postgres::Row;"),
        ("src/query/run.rs", "fn f() -> reqwest::Client {}"),
        ("src/config.rs", "use rmcp as protocol;"),
        ("src/catalog.rs", "fn f(a: ::actix_web::HttpRequest) {}"),
    ];
    for (path, text) in unlisted {
        assert_eq!(count(path, text, listed), 1, "{path}: {text}");
    }
    let manifest = "[workspace]\nmembers = [\"actors\", \"cellar\"]";
    assert_eq!(unlisted_crates(manifest), ["cellar"]);
}

#[test]
fn forms_that_hide_a_use_are_seen() {
    let hidden = [
        ("src/query/run.rs", "use crate::{catalog, http};"),
        ("src/query/run.rs", "use crate::*;"),
        ("src/query/run.rs", "use crate as house;"),
        ("src/query/run.rs", "extern crate self as sextant;"),
        ("src/query/run.rs", "pub use super::fault::*;"),
        ("src/query/run.rs", "pub(crate) use super::*;"),
        ("src/query.rs", "pub use fault::*;"),
        ("src/query.rs", "use super::http;"),
        ("src/query/run.rs", "use super::super::http;"),
        ("src/query/run.rs", "fn f() { super::super::http::f() }"),
        ("src/query/check/key.rs", "use super::super::super::http;"),
        ("src/query/run.rs", "use super::{super::http, fault};"),
        ("src/query/run.rs", "use super::{fault, super::http};"),
        ("src/query.rs", "#[path = \"../http.rs\"]\nmod http;"),
        (
            "src/query.rs",
            "#[macro_export]\nmacro_rules! m { () => {} }",
        ),
        ("src/query.rs", "include!(\"../http.rs\");"),
    ];
    for (path, text) in hidden {
        assert_eq!(count(path, text, listed), 1, "{path}: {text}");
    }
}

#[test]
fn a_listing_that_points_upwards_or_is_idle_is_seen() {
    let rooms = [room("query", "db http", "rmcp"), room("db", "query", "")];
    let sources = [
        Source::of("src/query/run.rs", "use crate::db::pool; use crate::http;"),
        Source::of("src/db/pool.rs", "use crate::query::run;"),
    ];
    assert_eq!(
        idle(&rooms, &sources),
        [
            "query: http is not below it",
            "query does not use rmcp any more",
            "db: query is not below it"
        ]
    );
}

#[test]
fn what_surfaces_connectors_and_actors_must_not_name_is_seen() {
    let mcp = "src/http/mcp.rs";
    let tools = "src/http/mcp/tools.rs";
    assert_eq!(
        count(tools, "use crate::http::console::agents;", surfaces),
        1
    );
    assert_eq!(count(mcp, "use super::ingest::push;", surfaces), 1);
    let own = "use crate::http::mcp::tools; use super::problem::P;";
    assert_eq!(count(mcp, own, surfaces), 0);
    let connector = "src/connectors/a.rs";
    assert_eq!(count(connector, "use crate::db::pool;", connectors), 1);
    let holds = "fn f(a: Addr<Grants>) {}";
    assert_eq!(count("src/app.rs", holds, addresses), 1);
    assert_eq!(count("actors/src/tree.rs", holds, addresses), 0);
    let manifest =
        "[dependencies]\nactix = \"1\"\nreqwest = \"1\"\n[dev-dependencies]\nactix-web = \"4\"";
    assert_eq!(beyond(manifest, &[]), ["reqwest", "actix_web"]);
    assert_eq!(beyond(manifest, &["reqwest"]), ["actix_web"]);
}
