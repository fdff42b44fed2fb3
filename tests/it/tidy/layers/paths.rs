//! The rooms and crates that a file names in its code; forms that could name a room without being seen here are
//! refused.

use super::super::source::Source;
use super::rooms::WATCHED;

/// What a file names, each with the line it stands on.
#[derive(Default)]
pub struct Named {
    /// Top-level modules, the file's own included.
    pub rooms: Vec<(usize, String)>,
    /// Crates of [`WATCHED`].
    pub crates: Vec<(usize, String)>,
    /// Why a line cannot be read reliably.
    pub refused: Vec<(usize, &'static str)>,
}

/// The top-level module of a file below `src/`: that of `src/query/check.rs` is `query`.
pub fn room_of(path: &str) -> Option<&str> {
    let first = path.strip_prefix("src/")?.split('/').next()?;
    let room = first.strip_suffix(".rs").unwrap_or(first);
    (room != "lib").then_some(room)
}

/// What a file below `src/` names.
pub fn named(source: &Source) -> Named {
    let words = words(&source.code);
    let mut named = Named::default();
    let mut in_use = false;
    for (at, (line, word)) in words.iter().enumerate() {
        let next = |ahead: usize| words.get(at + ahead).map_or("", |(_, word)| *word);
        let before = |back: usize| {
            let place = at.checked_sub(back);
            place.map_or("", |place| words[place].1)
        };
        let mut refuse = |why| named.refused.push((*line, why));
        match *word {
            "use" => in_use = true,
            ";" => in_use = false,
            "crate" if before(1) == "extern" => refuse("an extern crate hides what is used"),
            "crate" if next(1) == "::" && is_name(next(2)) => {
                named.rooms.push((*line, next(2).to_owned()));
            }
            "crate" if next(1) == "::" && next(2) != "*" => {
                refuse("name each room by a path of its own")
            }
            "crate" if ![")", "::"].contains(&next(1)) => refuse("the crate takes no other name"),
            "sextant" if source.path == "src/main.rs" && next(1) == "::" => {
                named.rooms.push((*line, next(2).to_owned()));
            }
            "super" if in_use && ["{", ","].contains(&before(1)) => {
                refuse("`super` stands at the head of a path");
            }
            "super" if before(2) != "super" && climbs(source, &words[at..]) => {
                refuse("this climbs out of the room: say `crate::`");
            }
            // A test module may import all of its own file; nobody else sees that.
            "*" if [4, 3, 2, 1].map(before)[1..] == ["use", "super", "::"]
                && !["pub", ")"].contains(&before(4)) => {}
            "*" if in_use && before(1) == "::" => refuse("a glob hides what is used"),
            "path" if before(1) == "[" && before(2) == "#" => {
                refuse("a module lies where its name says");
            }
            "macro_export" => refuse("an exported macro belongs to no room"),
            "include" if next(1) == "!" => refuse("included code belongs to no room"),
            word if WATCHED.contains(&word) => named.crates.push((*line, word.to_owned())),
            _ => {}
        }
    }
    named
}

/// Whether a path that begins with `super` leaves the top-level module.
fn climbs(source: &Source, path: &[(usize, &str)]) -> bool {
    let steps = path.chunks(2);
    let steps = steps.take_while(|pair| matches!(pair, [(_, "super"), (_, "::")]));
    let below = source.path.strip_prefix("src/").unwrap_or(&source.path);
    steps.count() >= below.split('/').count()
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && word != "self"
}

/// Names, `::`, and every other character by itself, with their lines.
pub fn words(code: &str) -> Vec<(usize, &str)> {
    let numbered = code.lines().enumerate();
    numbered
        .flat_map(|(at, line)| words_of(line).into_iter().map(move |word| (at + 1, word)))
        .collect()
}

fn words_of(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_of_name = |each: char| each.is_alphanumeric() || each == '_';
        let length = match first {
            first if is_of_name(first) => rest.find(|each| !is_of_name(each)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            other => other.len_utf8(),
        };
        let (word, tail) = rest.split_at(length);
        words.push(word);
        rest = tail.trim_start();
    }
    words
}
