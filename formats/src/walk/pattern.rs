//! Patterns that no shell has replaced: `*`, `?` and `[…]` in paths.

use std::path::PathBuf;

use glob::{MatchOptions, glob_with};

/// Characters that make a path a pattern, as in a shell.
const PATTERN: [char; 3] = ['*', '?', '['];
/// As a shell has them: hidden files are named by their dot alone.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// Whether a path is a pattern.
pub(super) fn is_pattern(name: &str) -> bool {
    name.contains(PATTERN)
}

/// The paths that a pattern matches, in the order of their names. What cannot be listed matches nothing, as in a shell.
///
/// # Errors
/// Why there is none, as a sentence.
pub(super) fn paths_matching(pattern: &str) -> Result<Vec<PathBuf>, String> {
    let matches = glob_with(pattern, OPTIONS)
        .map_err(|error| format!("it is neither a file nor a pattern: {}", error.msg))?;
    let paths: Vec<_> = matches.filter_map(Result::ok).collect();
    match paths.is_empty() {
        true => Err("no file matches".to_owned()),
        false => Ok(paths),
    }
}
