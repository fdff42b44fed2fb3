//! The end of a program's output, short enough for an error message.

/// Lines of output that an error repeats.
const LINES_MAX: usize = 6;
/// Characters of these lines.
const CHARACTERS_MAX: usize = 600;

/// The last lines of `text` on one line.
pub(super) fn tail(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    // The last lines of none are none.
    let last = lines
        .get(lines.len().saturating_sub(LINES_MAX)..)
        .unwrap_or_default()
        .join(" | ");
    let surplus = last.chars().count().saturating_sub(CHARACTERS_MAX);
    last.chars().skip(surplus).collect()
}
