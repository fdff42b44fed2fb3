//! Every route of the Console port is a row of a table that also describes it: nothing else mounts one.

use super::source::{Source, assert_none, broken, shipped};

/// The files that may: the mount of the tables, the composition of the port, and the agent port, whose
/// routes are the protocol's, OAuth's and the doctor's.
const PLACES: [&str; 5] = [
    "src/http/endpoint.rs",
    "src/http/server.rs",
    "src/http/mcp/server.rs",
    "src/http/bridge.rs",
    "src/http/arrival.rs",
];

fn rule(source: &Source) -> Vec<String> {
    if !source.is_under(&["src/http"]) || PLACES.contains(&source.path.as_str()) {
        return Vec::new();
    }
    let words = [
        ".route(",
        "web::resource(",
        "web::scope(",
        ".service(",
        "web::get()",
        "web::post()",
    ];
    source.places_of(&words, "a route is mounted by the table that describes it")
}

#[test]
fn routes_are_mounted_by_their_tables() {
    assert_none(broken(&shipped(), rule));
}

#[test]
fn a_route_beside_the_tables_is_seen() {
    let text = "fn f(s: &mut S) { s.route(\"/x\", g()); }";
    for (path, count) in [("src/http/console/x.rs", 1), ("src/http/server.rs", 0)] {
        assert_eq!(
            broken(&[Source::of(path, text)], rule).len(),
            count,
            "{path}"
        );
    }
}

/// The number of rows in all tables: a method followed by a comma.
fn rows(sources: &[Source]) -> usize {
    let tables = sources
        .iter()
        .filter(|source| source.is_under(&["src/http"]) && !PLACES.contains(&source.path.as_str()));
    let verbs = ["Get", "Post", "Put", "Patch", "Delete"].map(|verb| format!("Verb::{verb},"));
    tables
        .flat_map(|source| verbs.iter().map(|verb| source.code.matches(verb).count()))
        .sum()
}

#[test]
fn every_row_of_every_table_is_mounted_and_told_of() {
    assert_eq!(rows(&shipped()), sextant::http::server::endpoints().len());
}

#[test]
fn a_row_is_seen_wherever_it_stands() {
    let text = "const E: &[E] = &[new(Verb::Get, \"/x\"), new(\n    Verb::Post,\n    \"/y\")];";
    assert_eq!(rows(&[Source::of("src/http/console/x.rs", text)]), 2);
}
