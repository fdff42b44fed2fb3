//! What a crate of the workspace must not name, so that the compiler keeps what its head promises.

use super::source::{assert_none, text_of};

/// Crates that `formats/` must not name: no runtime, actors, server, client, database, command line or randomness.
const NOT_FOR_FORMATS: [&str; 18] = [
    "actix",
    "actix-http",
    "actix-rt",
    "actix-server",
    "actix-web",
    "clap",
    "deadpool-postgres",
    "fastrand",
    "getrandom",
    "hyper",
    "rand",
    "reqwest",
    "rmcp",
    "sextant",
    "sextant-actors",
    "tokio",
    "tokio-postgres",
    "tokio-util",
];

/// Crates that `connectors/` must not name: no actors, server of HTTP, database, command line or randomness.
const NOT_FOR_CONNECTORS: [&str; 14] = [
    "actix",
    "actix-http",
    "actix-rt",
    "actix-server",
    "actix-web",
    "clap",
    "deadpool-postgres",
    "env_logger",
    "getrandom",
    "rand",
    "rmcp",
    "sextant",
    "sextant-actors",
    "tokio-postgres",
];

/// The sections of a manifest that name what the crate ships with.
const SECTIONS: [&str; 2] = ["dependencies", "build-dependencies"];

/// The crates of `forbidden` that a manifest names, by their real names if it renames them.
fn named_in(manifest: &str, forbidden: &[&str]) -> Vec<String> {
    let manifest: toml::Table = manifest.parse().unwrap();
    let for_targets = manifest.get("target").and_then(toml::Value::as_table);
    let for_targets = for_targets.into_iter().flat_map(toml::Table::values);
    let tables = for_targets
        .filter_map(toml::Value::as_table)
        .chain([&manifest]);
    let sections =
        tables.flat_map(|table| SECTIONS.iter().filter_map(|section| table.get(*section)));
    let dependencies = sections
        .filter_map(toml::Value::as_table)
        .flat_map(toml::Table::iter);
    let names = dependencies.map(|(name, about)| {
        let package = about.get("package").and_then(toml::Value::as_str);
        package.unwrap_or(name).to_owned()
    });
    names
        .filter(|name| forbidden.contains(&name.as_str()))
        .collect()
}

#[test]
fn formats_name_no_runtime_no_network_and_no_database() {
    assert_none(named_in(&text_of("formats/Cargo.toml"), &NOT_FOR_FORMATS));
}

#[test]
fn connectors_name_no_actor_and_no_database() {
    let manifest = text_of("connectors/Cargo.toml");
    assert_none(named_in(&manifest, &NOT_FOR_CONNECTORS));
}

#[test]
fn each_forbidden_crate_is_seen() {
    let manifest = "[dependencies]\ncsv = \"1\"\ntokio = { workspace = true }\nnet = { package = \"reqwest\", version = \"1\" }\n\
        [target.'cfg(unix)'.dependencies]\nactix = \"1\"\n[dev-dependencies]\nrand = \"1\"";
    let mut named = named_in(manifest, &NOT_FOR_FORMATS);
    named.sort();
    assert_eq!(named, ["actix", "reqwest", "tokio"]);
    assert!(named_in("[dependencies]\ncsv = \"1\"", &NOT_FOR_FORMATS).is_empty());
}
