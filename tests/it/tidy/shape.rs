//! The form of files: their length, their first line, and what must not be left in them.

use super::source::{Source, all, assert_none, broken, shipped};

/// A longer file holds more than one idea.
const LINES_MAX: usize = 400;

/// Files with nothing but tests hold tables of cases, which may be longer.
const TEST_LINES_MAX: usize = 700;

fn length(source: &Source) -> Vec<String> {
    let most = if source.is_test() {
        TEST_LINES_MAX
    } else {
        LINES_MAX
    };
    let lines = source.text.lines().count();
    let is_long = lines > most;
    is_long
        .then(|| format!("{}: {lines} lines, at most {most}", source.path))
        .into_iter()
        .collect()
}

/// Files without a head. A module's private test file needs none; all others say what they are for.
fn heads(sources: &[Source]) -> Vec<String> {
    let documented: Vec<&str> = sources
        .iter()
        .filter(|source| source.text.trim_start().starts_with("//!"))
        .map(|source| source.path.as_str())
        .collect();
    let belongs = |path: &str| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        documented.contains(&path) || documented.contains(&format!("{folder}.rs").as_str())
    };
    let bare = sources.iter().filter(|source| !belongs(&source.path));
    bare.map(|source| format!("{}: neither it nor its module begins with //!", source.path))
        .collect()
}

/// Whether a word stands there by itself: `VTODO` of a calendar does not count as a leftover.
fn stands_in(line: &str, word: &str) -> bool {
    let ends_word = |before: &str| before.ends_with(|last: char| last.is_ascii_alphanumeric());
    line.match_indices(word)
        .any(|(at, _)| !line.get(..at).is_some_and(ends_word))
}

fn leftovers(source: &Source) -> Vec<String> {
    // Concatenated here, so that this file does not break its own rule.
    let words =
        [["TO", "DO"], ["FIX", "ME"], ["XX", "X:"], ["HA", "CK:"]].map(|halves| halves.concat());
    let hits = |line: &str| words.iter().find(|word| stands_in(line, word)).cloned();
    let numbered = source.text.lines().enumerate();
    numbered
        .filter_map(|(at, line)| Some(format!("{}:{}: {}", source.path, at + 1, hits(line)?)))
        .collect()
}

#[test]
fn files_are_short_say_what_they_are_for_and_owe_nothing() {
    let sources = all();
    assert_none(broken(&sources, length));
    assert_none(broken(&sources, leftovers));
    assert_none(heads(&shipped()));
}

#[test]
fn each_fault_of_shape_is_seen() {
    let bad = format!(
        "fn f() {{}}\n// {}: later\n{}",
        ["TO", "DO"].concat(),
        "\n".repeat(LINES_MAX)
    );
    for rule in [length, leftovers] {
        assert_eq!(broken(&[Source::of("src/a.rs", &bad)], rule).len(), 1);
        assert_eq!(
            broken(&[Source::of("src/a.rs", "//! What it is for.\n")], rule).len(),
            0
        );
    }
    let bare = |path: &str| Source::of(path, "fn f() {}");
    assert_eq!(heads(&[bare("src/a.rs"), bare("src/a/b.rs")]).len(), 2);
    let module = Source::of("src/a.rs", "//! What it is for.\n");
    assert_eq!(heads(&[module, bare("src/a/b.rs")]), Vec::<String>::new());
}
