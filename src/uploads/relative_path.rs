//! Where a file lies below its job's folder. Pure.

use std::fmt;
use std::path::{Path, PathBuf};

use super::limits::{COMPONENT_BYTES_MAX, PATH_BYTES_MAX, PATH_DEPTH_MAX};

/// A path of plain names: it leads nowhere but down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RelativePath(PathBuf);

/// What is wrong with a path, and what to send.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnfitPath(String);

impl fmt::Display for UnfitPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl RelativePath {
    /// Reads names with slashes between them, such as `Mail/Inbox/cur/1.eml`.
    ///
    /// # Errors
    /// When a name is empty, `.` or `..`, has a control character, or a name, the whole or the depth is too long.
    pub(crate) fn parse(text: &str) -> Result<Self, UnfitPath> {
        let unfit = |why: &str| Err(UnfitPath(format!("send a path below the upload: {why}")));
        let names: Vec<&str> = text.split('/').collect();
        if names.iter().any(|name| matches!(*name, "" | "." | "..")) {
            return unfit("plain names, with one slash between them");
        }
        if text.chars().any(char::is_control) {
            return unfit("names without control characters");
        }
        if text.len() > PATH_BYTES_MAX || names.iter().any(|name| name.len() > COMPONENT_BYTES_MAX)
        {
            return unfit("at most 1024 bytes, and 255 for a name");
        }
        if names.len() > PATH_DEPTH_MAX {
            return unfit("at most 32 levels");
        }
        Ok(Self(names.iter().collect()))
    }

    pub(super) fn as_path(&self) -> &Path {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_names_are_taken_as_they_are() {
        for text in [
            "a.ics",
            "Mail/Inbox/cur/1:2,S",
            ".Sent/new/x",
            "Ä ö/日本.eml",
            "..a",
        ] {
            let path = RelativePath::parse(text).unwrap();
            assert_eq!(path.as_path(), Path::new(text));
        }
    }

    #[test]
    fn what_might_lead_elsewhere_is_refused() {
        let long = "x".repeat(256);
        let deep = ["d"; 33].join("/");
        let texts = [
            "",
            "/",
            "/etc/passwd",
            "a//b",
            "a/",
            "..",
            "a/../b",
            "./a",
            "a\0b",
            "a\nb",
        ];
        for text in texts.into_iter().chain([long.as_str(), &deep]) {
            assert!(RelativePath::parse(text).is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn every_path_that_is_taken_stays_below(text in "[a./\\\\ \u{0}-\u{20}ä]{0,24}") {
            if let Ok(path) = RelativePath::parse(&text) {
                let root = Path::new("/data/uploads/job/files");
                let joined = root.join(path.as_path());
                prop_assert!(joined.starts_with(root) && joined != root);
                prop_assert!(joined.components().all(|part| part.as_os_str() != ".."));
            }
        }
    }
}
