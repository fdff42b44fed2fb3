//! Everything that is cited can be looked up in the repository: a requirement's number, a document, a section of one.
//! Standards are cited by name and section (`RFC 5545` and the section sign); nothing else outside the project is
//! cited.

mod documents;
mod numbers;

use super::source::{all, files, text_of};

const REQUIREMENTS: &str = "docs/requirements.md";
/// Folders and extensions that are checked beside the Rust sources and the documents.
const OTHERS: [(&str, &str); 4] = [
    ("sql", "sql"),
    ("scripts", "sh"),
    ("scripts", "py"),
    (".cargo", "toml"),
];
const SINGLE: [&str; 7] = [
    "Cargo.toml",
    "Dockerfile",
    "Makefile",
    "benches/README.md",
    "clippy.toml",
    "compose.yaml",
    "config.example.toml",
];

/// One text file of the project.
struct Text {
    path: String,
    text: String,
}

impl Text {
    fn of(path: &str, text: &str) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }

    /// The line on which this byte stands, with what is wrong there.
    fn at(&self, place: usize, why: &str) -> String {
        let before = self.text.get(..place).unwrap_or_default();
        format!("{}:{}: {why}", self.path, before.matches('\n').count() + 1)
    }

    /// Whether a comment begins on the line before this byte.
    fn is_comment(&self, place: usize) -> bool {
        let before = self.text.get(..place).unwrap_or_default();
        before
            .rsplit('\n')
            .next()
            .is_some_and(|line| line.contains("//"))
    }

    fn is_paper(&self) -> bool {
        self.path.ends_with(".md")
    }
}

fn texts() -> Vec<Text> {
    let sources = all().into_iter().map(|source| source.path);
    let others = OTHERS
        .iter()
        .flat_map(|(folder, extension)| files(&[folder], extension));
    let single = SINGLE.iter().map(|path| (*path).to_owned());
    let paths = sources.chain(others).chain(single).chain(papers());
    paths.map(|path| Text::of(&path, &text_of(&path))).collect()
}

/// The documents at the top and in `docs/`.
pub fn papers() -> Vec<String> {
    let at_the_top = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(str::to_owned);
    at_the_top
        .into_iter()
        .chain(files(&["docs"], "md"))
        .collect()
}

/// The words of a text with their byte offsets.
fn words(text: &str, ends: impl Fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    let words = text.split(ends).filter(|word| !word.is_empty());
    words.map(move |word| (word.as_ptr() as usize - start, word))
}
