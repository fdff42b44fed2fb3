//! Statements that do not say whose account they are of, while `--create` sends all to one connection: of one such file the
//! person knows what it is; the bookings of two would be taken for those of one account, and equal ones for one. Pure.

use sextant_formats::FoundFile;

/// Why none of several is read.
pub(crate) const REASON: &str = "it does not say whose account it is of, nor does another file of this push, and their bookings would \
    be taken for those of one account: push the files of each account by themselves, with --account NAME";

#[derive(Default)]
pub(crate) enum Unnamed {
    #[default]
    None,
    /// The only one so far.
    One(Box<FoundFile>),
    Several,
}

impl Unnamed {
    /// Takes the next one; the names of those that are refused now.
    pub(crate) fn add(&mut self, found: FoundFile) -> Vec<String> {
        match std::mem::replace(self, Self::Several) {
            Self::None => {
                *self = Self::One(Box::new(found));
                Vec::new()
            }
            Self::One(first) => vec![first.name, found.name],
            Self::Several => vec![found.name],
        }
    }

    /// The one that was the only one.
    pub(crate) fn only(self) -> Option<FoundFile> {
        match self {
            Self::One(found) => Some(*found),
            Self::None | Self::Several => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str) -> FoundFile {
        FoundFile {
            name: name.to_owned(),
            source: Err(String::new()),
            is_doubtful: false,
        }
    }

    #[test]
    fn one_is_kept_and_of_several_all_are_refused() {
        let mut one = Unnamed::default();
        assert!(one.add(found("a")).is_empty());
        assert_eq!(one.only().map(|found| found.name).as_deref(), Some("a"));
        let mut several = Unnamed::default();
        let refused = ["a", "b", "c"].map(|name| several.add(found(name)));
        assert_eq!(refused.concat(), ["a", "b", "c"]);
        assert!(several.only().is_none() && Unnamed::default().only().is_none());
    }
}
