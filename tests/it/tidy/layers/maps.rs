//! The rooms as the documents list them: the same ones, each once, and in the same order.

use super::super::source::{root, text_of};
use super::rooms::ROOMS;

/// The names in the table of `src/lib.rs`, each row of which begins with a link to its room.
pub fn of_library(text: &str) -> Vec<String> {
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | [`"));
    rows.filter_map(|row| row.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// The names in the table of `ARCHITECTURE.md`, each row of which begins with the paths of its room.
pub fn of_papers(text: &str) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with("| `src/"));
    let names = rows.flat_map(|row| {
        let paths = row.split('|').nth(1).unwrap_or_default().split('`');
        let mut names: Vec<String> = paths
            .filter_map(super::paths::room_of)
            .map(str::to_owned)
            .collect();
        names.dedup();
        names
    });
    names.collect()
}

/// The rooms in the first table of a library's root, whose rows may name several, public or not.
pub fn of_root(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| *line != "//! |---|---|");
    let rows = lines
        .skip(1)
        .map_while(|line| line.strip_prefix("//! | ")?.split('|').next());
    rows.flat_map(|room| room.split('`').skip(1).step_by(2))
        .collect()
}

/// Every module declared in a library's root, public or not, in order.
pub fn modules(text: &str) -> Vec<&str> {
    let lines = text
        .lines()
        .map(|line| line.strip_prefix("pub ").unwrap_or(line));
    let names = lines.filter_map(|line| line.strip_prefix("mod "));
    names.filter_map(|name| name.strip_suffix(';')).collect()
}

/// The top-level modules below `src/`, by their files.
pub fn files() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("src")).unwrap();
    let paths = entries.map(|entry| format!("src/{}", entry.unwrap().file_name().display()));
    let mut names: Vec<String> = paths
        .filter_map(|path| super::paths::room_of(&path).map(str::to_owned))
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn every_map_names_each_room_once_in_the_one_order() {
    let rooms: Vec<&str> = ROOMS.iter().map(|room| room.name).collect();
    assert_eq!(of_papers(&text_of("ARCHITECTURE.md")), rooms);
    assert_eq!(of_library(&text_of("src/lib.rs")), rooms[1..]);
    let mut sorted = rooms;
    sorted.sort_unstable();
    assert_eq!(files(), sorted);
    sorted.retain(|room| *room != "main");
    assert_eq!(modules(&text_of("src/lib.rs")), sorted);
}

#[test]
fn the_actors_map_names_each_of_their_rooms_once() {
    let text = text_of("actors/src/lib.rs");
    let mut rooms = of_root(&text);
    rooms.sort_unstable();
    assert_eq!(rooms, modules(&text));
}

#[test]
fn the_maps_are_read_as_they_stand() {
    let library =
        "//! | room | what |\n//! |---|---|\n//! | [`cli`] | uses [`app`] |\n//! | [`app`] | x |\n";
    assert_eq!(of_library(library), ["cli", "app"]);
    let papers = "| `actors/` | x |\n| `src/cli.rs`, `src/cli/` | `src/app.rs` |\n| `src/app.rs`, `src/http.rs` | x |\n";
    assert_eq!(of_papers(papers), ["cli", "app", "http"]);
    let root = "//! | room | holds |\n//! |---|---|\n//! | [`a`] | one, of [`b`] |\n//! | `hidden`, [`b`] | two |\n//!\n//! | [`x`] | y |\npub mod a;\nmod hidden;\npub mod b;\n";
    assert_eq!(of_root(root), ["a", "hidden", "b"]);
    assert_eq!(modules(root), ["a", "hidden", "b"]);
}
