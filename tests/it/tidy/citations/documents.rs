//! Documents and their sections: each that is cited exists, and every cited section belongs to a document of the
//! project or to a standard.

use std::collections::BTreeSet;

use super::super::source::{assert_none, root};
use super::{REQUIREMENTS, Text, texts, words};

/// Migrations that have run are held by a digest that includes their comments, so they keep the citations they have.
const FROZEN: [&str; 2] = [
    "sql/migrations/0001_schema.sql",
    "sql/migrations/0004_generations.sql",
];
/// Standards whose sections are cited.
const STANDARDS: [&str; 2] = ["RFC ", "OFX "];
/// How many bytes before a section its standard may be named.
const NAMED_WITHIN: usize = 200;
/// The section sign.
const SECTION: char = '\u{a7}';

/// The anchors of a document: those that Git hosts make of its headings, and those that are set by hand.
fn anchors(paper: &str) -> BTreeSet<String> {
    let headings = paper.lines().filter(|line| line.starts_with('#'));
    let slugs = headings.map(|line| slug(line.trim_start_matches('#').trim()));
    let set = paper
        .split("<a id=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    slugs.chain(set.map(str::to_owned)).collect()
}

fn slug(heading: &str) -> String {
    let letters = heading.to_lowercase().replace(' ', "-");
    letters
        .chars()
        .filter(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'))
        .collect()
}

/// Documents that are cited by path, with a section or without; in a document, its own sections too. In Rust only
/// comments are read: paths in code are checked by running it.
fn documents(text: &Text) -> Vec<(usize, &str)> {
    let ends = |letter: char| letter.is_whitespace() || "()[]<>\"'`,;|".contains(letter);
    let is_told = |place: usize| !text.path.ends_with(".rs") || text.is_comment(place);
    words(&text.text, ends)
        .map(|(place, word)| (place, word.trim_end_matches(['.', ':'])))
        .filter(|(_, word)| names_a_document(word) || text.is_paper() && word.starts_with('#'))
        .filter(|(place, word)| !word.starts_with('#') || text.text[..*place].ends_with("]("))
        .filter(|(place, _)| is_told(*place))
        .collect()
}

fn names_a_document(word: &str) -> bool {
    let file = word.split('#').next().unwrap_or_default();
    let name = file.strip_suffix(".md").unwrap_or_default();
    !name.is_empty() && !word.contains("://") && !name.contains(['*', '{'])
}

/// Cited documents that do not exist, or have no such section. `read` returns a document by its path.
fn lost_documents(text: &Text, read: &impl Fn(&str) -> Option<String>) -> Vec<String> {
    let folder = text.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = |file: &str| read(format!("{folder}/{file}").trim_start_matches('/'));
    let lost = documents(text).into_iter().filter_map(|(place, cited)| {
        let (file, section) = cited.split_once('#').unwrap_or((cited, ""));
        let found = match file.strip_prefix("../") {
            _ if file.is_empty() => Some(text.text.clone()),
            Some(above) => read(above),
            None if text.is_paper() => beside(file).or_else(|| read(file)),
            None => read(file),
        };
        let is_lost = |paper: &String| !section.is_empty() && !anchors(paper).contains(section);
        match found {
            None => Some(text.at(place, &format!("{cited} is not there"))),
            Some(paper) if is_lost(&paper) => {
                Some(text.at(place, &format!("{cited}: no such section")))
            }
            Some(_) => None,
        }
    });
    lost.collect()
}

/// Sections that belong to no standard, and phrases that refer to a document outside the project.
fn foreign(text: &Text) -> Vec<String> {
    // Concatenated here, so that this file does not break its own rule.
    let elsewhere = ["the spec", "ification"].concat();
    let named = |place: usize| {
        let before = &text.text[..place];
        let last = STANDARDS
            .iter()
            .filter_map(|standard| before.rfind(standard));
        last.max().is_some_and(|at| place - at <= NAMED_WITHIN)
    };
    let sections = text.text.match_indices(SECTION);
    let sections = sections.filter(|(place, _)| !named(*place));
    let spoken = text.text.match_indices(elsewhere.as_str());
    sections
        .map(|(place, _)| text.at(place, "a section of what?"))
        .chain(spoken.map(|(place, word)| text.at(place, &format!("{word}: cite {REQUIREMENTS}"))))
        .collect()
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(root().join(path)).ok()
}

#[test]
fn every_document_and_section_that_is_cited_is_here() {
    let mut texts = texts();
    texts.retain(|text| !FROZEN.contains(&text.path.as_str()));
    assert_none(
        texts
            .iter()
            .flat_map(|text| lost_documents(text, &read))
            .collect(),
    );
    assert_none(texts.iter().flat_map(foreign).collect());
}

#[test]
fn a_document_or_section_that_is_not_here_is_seen() {
    let read = |path: &str| {
        (path == "docs/a.md")
            .then(|| "# A\n## Two words, one.idea\n<a id=\"set\"></a>\n".to_owned())
    };
    let lost = |path: &str, text: &str| lost_documents(&Text::of(path, text), &read).len();
    let a = ["docs/a", ".md"].concat();
    let b = ["b", ".md"].concat();
    for right in [
        format!("// {a}"),
        format!("/// ({a}#set)"),
        format!("//! see {a}#two-words-oneidea."),
        format!("let path = \"{b}\";"),
    ] {
        assert_eq!(lost("src/a.rs", &right), 0, "{right}");
    }
    for wrong in [
        format!("// {b}"),
        format!("let x = 1; // `{b}`"),
        format!("// {a}#gone"),
        format!("// docs/{b}#set"),
    ] {
        assert_eq!(lost("src/a.rs", &wrong), 1, "{wrong}");
    }
    let own = ["a", ".md"].concat();
    assert_eq!(lost("docs/c.md", &format!("[x]({own}#set) [y](../{a})")), 0);
    assert_eq!(lost("docs/c.md", "# C\n[x](#c) [y](#d)"), 1);
    assert_eq!(lost("docs/c.md", &format!("https://example.org/{b}")), 0);
}

#[test]
fn a_section_of_something_foreign_is_seen() {
    let foreign = |text: String| foreign(&Text::of("src/a.rs", &text)).len();
    assert_eq!(
        foreign(format!("// RFC 5545 {SECTION}3.3.4 and {SECTION}3.3.5")),
        0
    );
    assert_eq!(foreign(format!("// as the interfaces say ({SECTION}4)")), 1);
    assert_eq!(
        foreign(format!(
            "// RFC 5545{}{SECTION}4",
            " far".repeat(NAMED_WITHIN)
        )),
        1
    );
    assert_eq!(foreign(["// as the spec", "ification wants"].concat()), 1);
}
