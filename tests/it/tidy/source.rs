//! The project's files as the tidy rules read them.

use std::fs;
use std::path::{Path, PathBuf};

use super::packages;
use super::scan::{Literal, scan};

/// One Rust file.
pub struct Source {
    /// Relative to the project, with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// Without comments, literals and the file's tests.
    pub code: String,
    /// The literals outside the file's tests.
    pub literals: Vec<Literal>,
}

impl Source {
    pub fn of(path: &str, text: &str) -> Self {
        let (code, mut literals) = scan(text);
        let code = without_tests(&code);
        let lines = code.lines().count();
        literals.retain(|literal| literal.line <= lines);
        Self {
            path: path.into(),
            text: text.into(),
            code,
            literals,
        }
    }

    /// Whether it holds nothing but tests or measurements.
    pub fn is_test(&self) -> bool {
        self.is_under(&["tests/", "benches/", "fuzz/"])
            || self.path.contains("/tests/")
            || self.path.contains("/benches/")
            || self.path.ends_with("/tests.rs")
    }

    pub fn is_under(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(folder))
    }

    /// The lines of the code that contain one of `words`, with `why`.
    pub fn places_of(&self, words: &[&str], why: &str) -> Vec<String> {
        let hits = |line: &str| words.iter().copied().find(|word| line.contains(word));
        self.code
            .lines()
            .enumerate()
            .filter_map(|(at, line)| {
                Some(format!("{}:{}: {}: {why}", self.path, at + 1, hits(line)?))
            })
            .collect()
    }
}

/// A file's tests stand at its end.
fn without_tests(code: &str) -> String {
    let heads = ["mod tests {", "pub(super) mod tests {"];
    let begins = heads.map(|head| code.find(&format!("#[cfg(test)]\n{head}")));
    begins
        .into_iter()
        .flatten()
        .min()
        .map_or(code, |start| &code[..start])
        .to_owned()
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every Rust file of the project.
pub fn all() -> Vec<Source> {
    let folders = packages::folders();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    let mut sources: Vec<Source> = files(&folders, "rs")
        .iter()
        .map(|path| Source::of(path, &text_of(path)))
        .collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(
        sources.len() > 30,
        "the walk found only {} files",
        sources.len()
    );
    sources
}

/// The Rust files that are not tests.
pub fn shipped() -> Vec<Source> {
    all()
        .into_iter()
        .filter(|source| !source.is_test())
        .collect()
}

/// The files below `folders` with this extension, relative to the project.
pub fn files(folders: &[&str], extension: &str) -> Vec<String> {
    let mut waiting: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.extend((!packages::is_left_out(&path)).then_some(path));
            } else if path.extension().is_some_and(|own| own == extension) {
                let relative = path.strip_prefix(root()).unwrap_or(&path);
                found.push(relative.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}

/// Applies a rule to each source and collects what breaks it.
pub fn broken(sources: &[Source], rule: impl Fn(&Source) -> Vec<String>) -> Vec<String> {
    sources.iter().flat_map(rule).collect()
}

#[track_caller]
pub fn assert_none(broken: Vec<String>) {
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}
