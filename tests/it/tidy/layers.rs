//! Who may know whom: the arrows of ARCHITECTURE.md only go down.

use super::source::{Source, assert_none, broken, shipped, text_of};

/// Crates that the actors' crate must not name.
const NOT_FOR_ACTORS: [&str; 3] = ["actix-web", "tokio-postgres", "reqwest"];

/// The surfaces; none imports another.
const SURFACES: [&str; 5] = ["console", "ingest", "mcp", "read_mirror", "bridge"];

fn named_in(manifest: &str) -> Vec<String> {
    let table: toml::Table = manifest.parse().unwrap();
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let names = sections
        .iter()
        .filter_map(|section| table.get(*section)?.as_table());
    let names = names.flat_map(|section| section.keys());
    names
        .filter(|name| NOT_FOR_ACTORS.contains(&name.as_str()))
        .cloned()
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

/// Lower rooms do not know the higher ones.
fn upward(source: &Source) -> Vec<String> {
    let higher: &[&str] = match source
        .path
        .split('/')
        .nth(1)
        .map(|room| room.trim_end_matches(".rs"))
    {
        _ if !source.path.starts_with("src/") => &[],
        Some("db" | "catalog" | "config") => &[
            "crate::http",
            "crate::query",
            "crate::store",
            "crate::app",
            "crate::cli",
        ],
        Some("query" | "store") => &["crate::http", "crate::app", "crate::cli"],
        Some("http") => &["crate::app", "crate::cli"],
        _ => &[],
    };
    source.places_of(higher, "arrows only go down")
}

/// Handles own time-outs and errors; nobody else holds an actor's address.
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
    assert_none(named_in(&text_of("actors/Cargo.toml")));
}

#[test]
fn arrows_go_down() {
    let sources = shipped();
    for rule in [surfaces, connectors, upward, addresses] {
        assert_none(broken(&sources, rule));
    }
}

#[test]
fn each_arrow_upwards_is_seen() {
    let count = |path: &str, text: &str, rule: fn(&Source) -> Vec<String>| {
        broken(&[Source::of(path, text)], rule).len()
    };
    assert_eq!(
        count(
            "src/http/mcp/tools.rs",
            "use crate::http::console::agents;",
            surfaces
        ),
        1
    );
    assert_eq!(
        count("src/http/mcp.rs", "use super::ingest::push;", surfaces),
        1
    );
    assert_eq!(
        count(
            "src/http/mcp.rs",
            "use crate::http::mcp::tools; use super::problem::P;",
            surfaces
        ),
        0
    );
    assert_eq!(
        count("src/connectors/a.rs", "use crate::db::pool;", connectors),
        1
    );
    assert_eq!(
        count("src/db/pool.rs", "use crate::store::agents;", upward),
        1
    );
    assert_eq!(
        count("src/store/agents.rs", "use crate::http::problem;", upward),
        1
    );
    assert_eq!(
        count(
            "src/http/problem.rs",
            "use crate::query::QueryError;",
            upward
        ),
        0
    );
    assert_eq!(
        count("src/app.rs", "fn f(a: Addr<Grants>) {}", addresses),
        1
    );
    assert_eq!(
        count("actors/src/tree.rs", "fn f(a: Addr<Grants>) {}", addresses),
        0
    );
    assert_eq!(
        named_in(
            "[dependencies]\nactix = \"1\"\nreqwest = \"1\"\n[dev-dependencies]\nactix-web = \"4\""
        ),
        ["reqwest", "actix-web"]
    );
}
