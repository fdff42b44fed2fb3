//! The project's packages, and where their Rust sources are, read from the manifests, so that a new package is under
//! the rules from its first file on.

use std::collections::BTreeSet;
use std::path::Path;

use toml::{Table, Value};

use super::source::{assert_none, files, root, text_of};

/// Packages outside the workspace: the fuzz targets need another compiler.
const APART: [&str; 1] = ["fuzz"];
/// Where Cargo looks for targets by default.
const USUAL: [&str; 4] = ["src", "tests", "benches", "examples"];

/// The folder of each package, relative to the project; that of the root package is empty.
fn packages(workspace: &Table) -> Vec<String> {
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let members = members.iter().map(|member| member.as_str().unwrap());
    let packages: Vec<String> = [""]
        .into_iter()
        .chain(members)
        .chain(APART)
        .map(str::to_owned)
        .collect();
    assert!(
        packages.iter().all(|package| !package.contains('*')),
        "name each member: {packages:?}"
    );
    packages
}

/// The folders of a package, relative to it, that hold Rust: the default ones, and the first component of each
/// target's path.
fn folders_of(manifest: &Table) -> BTreeSet<String> {
    let one = manifest.get("lib").into_iter();
    let many = ["bin", "test", "bench", "example"]
        .iter()
        .filter_map(|kind| manifest.get(*kind)?.as_array());
    let targets = one.chain(many.flatten());
    let paths = targets.filter_map(|target| target.get("path").and_then(Value::as_str));
    let named = paths.filter_map(|path| Some(path.split_once('/')?.0));
    USUAL.into_iter().chain(named).map(str::to_owned).collect()
}

/// The folders that hold Rust, relative to the project, each ending in `/`.
pub fn folders() -> Vec<String> {
    let read = |path: &str| -> Table { text_of(path).parse().unwrap() };
    let mut folders = Vec::new();
    for package in packages(&read("Cargo.toml")) {
        let place = if package.is_empty() {
            package
        } else {
            package + "/"
        };
        let manifest = read(&format!("{place}Cargo.toml"));
        folders.extend(
            folders_of(&manifest)
                .iter()
                .map(|folder| format!("{place}{folder}/")),
        );
    }
    folders.retain(|folder| root().join(folder).is_dir());
    folders
}

fn outside<'a>(folders: &[String], paths: &'a [String]) -> Vec<&'a String> {
    let is_inside = |path: &str| {
        folders
            .iter()
            .any(|folder| path.starts_with(folder.as_str()))
    };
    paths.iter().filter(|path| !is_inside(path)).collect()
}

/// Whether the walk through the whole project skips this folder: build output, and what is not part of the project.
pub fn is_left_out(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name == "target" && folder.with_file_name("Cargo.toml").exists()
}

#[test]
fn every_rust_file_stands_in_a_package() {
    let paths = files(&[""], "rs");
    assert!(
        paths.len() > 30,
        "the walk found only {} files",
        paths.len()
    );
    let strays = outside(&folders(), &paths).into_iter();
    assert_none(
        strays
            .map(|path| format!("{path}: in no folder of a package"))
            .collect(),
    );
}

#[test]
fn the_folders_are_those_of_the_manifests() {
    let told = "[workspace]\nmembers = [\"actors\", \"more/deep\"]";
    assert_eq!(
        packages(&told.parse().unwrap()),
        ["", "actors", "more/deep", "fuzz"]
    );
    let told = "[lib]\npath = \"library/a.rs\"\n[[bin]]\npath = \"main.rs\"\n[[bench]]\npath = \"speed/of/b.rs\"\n[[test]]\nname = \"c\"";
    let folders = folders_of(&told.parse().unwrap());
    let own: Vec<&str> = folders
        .iter()
        .map(String::as_str)
        .filter(|folder| !USUAL.contains(folder))
        .collect();
    assert_eq!(own, ["library", "speed"]);
}

#[test]
fn a_stray_file_is_seen() {
    let folders = ["src/".to_owned(), "actors/src/".to_owned()];
    let paths = [
        "src/a.rs",
        "actors/src/b/c.rs",
        "build.rs",
        "srcs/d.rs",
        "actors/e.rs",
    ]
    .map(str::to_owned);
    assert_eq!(
        outside(&folders, &paths),
        ["build.rs", "srcs/d.rs", "actors/e.rs"]
    );
}
