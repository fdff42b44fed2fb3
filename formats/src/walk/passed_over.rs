//! What was not read, counted by kind.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Kinds that are counted by themselves; the rest is counted together.
const KINDS_MAX: usize = 1000;
/// Kinds that are named, the most frequent first.
const NAMED_MAX: usize = 12;
/// An extension longer than this is part of a name.
const EXTENSION_CHARS_MAX: usize = 12;
const NO_EXTENSION: &str = "without an ending";
const LINKS: &str = "links and devices";
const OTHERS: &str = "others";

/// How many files of which kinds were not read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PassedOver(BTreeMap<String, u64>);

impl PassedOver {
    /// A file of a kind that is not read.
    pub(super) fn add(&mut self, name: &str) {
        let extension = Path::new(name).extension().unwrap_or_default();
        let extension = extension.to_string_lossy().to_lowercase();
        let is_one = extension.chars().all(char::is_alphanumeric)
            && (1..=EXTENSION_CHARS_MAX).contains(&extension.chars().count());
        match is_one {
            true => self.count(format!(".{extension}")),
            false => self.count(NO_EXTENSION.to_owned()),
        }
    }

    /// Counts something that is no regular file, or a link that leads out of the folder.
    pub(super) fn add_link(&mut self) {
        self.count(LINKS.to_owned());
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn count(&mut self, kind: String) {
        let is_full = self.0.len() >= KINDS_MAX && !self.0.contains_key(&kind);
        let kind = if is_full { OTHERS.to_owned() } else { kind };
        *self.0.entry(kind).or_default() += 1;
    }
}

/// `12 files of kinds that are not read (.jpg 10, .html 2)`
impl fmt::Display for PassedOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: Vec<_> = self.0.iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let (named, rest) = kinds.split_at(kinds.len().min(NAMED_MAX));
        let mut named: Vec<_> = named
            .iter()
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        let rest: u64 = rest.iter().map(|(_, count)| **count).sum();
        if rest > 0 {
            named.push(format!("{OTHERS} {rest}"));
        }
        let (files, kind) = match self.0.values().sum() {
            1_u64 => ("1 file".to_owned(), "a kind that is"),
            files => (format!("{files} files"), "kinds that are"),
        };
        write!(f, "{files} of {kind} not read ({})", named.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted_and_the_most_frequent_come_first() {
        let mut passed_over = PassedOver::default();
        assert!(passed_over.is_empty());
        passed_over.add("a/b.html");
        assert_eq!(
            passed_over.to_string(),
            "1 file of a kind that is not read (.html 1)"
        );
        for name in [
            "x.JPG",
            "y.jpg",
            "README",
            "odd.\u{1b}[2J",
            "v1.2 of my notes, final",
        ] {
            passed_over.add(name);
        }
        passed_over.add_link();
        assert_eq!(
            passed_over.to_string(),
            "7 files of kinds that are not read (without an ending 3, .jpg 2, .html 1, links and devices 1)"
        );
    }

    #[test]
    fn however_many_kinds_there_are_few_are_held_and_fewer_named() {
        let mut passed_over = PassedOver::default();
        (0..5000).for_each(|kind| passed_over.add(&format!("a.{kind}")));
        assert_eq!(passed_over.0.len(), KINDS_MAX + 1);
        let text = passed_over.to_string();
        assert!(text.starts_with("5000 files") && text.len() < 300, "{text}");
    }
}
