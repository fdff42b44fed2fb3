//! The syntax of a value: components between semicolons, lists between commas, escapes in both (RFC 6350 §3.4).

/// The text without its escapes, trimmed, with `\n` as the only line end.
pub(super) fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(escaped @ ('\\' | ',' | ';' | ':' | '"')) => text.push(escaped),
                Some(other) => text.extend(['\\', other]),
                None => text.push('\\'),
            },
            '\r' => {}
            other => text.push(other),
        }
    }
    text.trim().to_owned()
}

/// The parts between separators that are not escaped; the parts keep their escapes.
pub(super) fn split(value: &str, separator: char) -> Vec<&str> {
    let mut is_escaped = false;
    value
        .split(|character| {
            let separates = character == separator && !is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            separates
        })
        .collect()
}

/// One component without its escapes. From version 3.0 on a comma separates several values, which are joined by `, `.
pub(super) fn component(value: &str, has_lists: bool) -> String {
    if !has_lists {
        return unescape(value);
    }
    let parts = split(value, ',').into_iter().map(unescape);
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_separate_nothing() {
        assert_eq!(split(r"a\;b;c\\;d", ';'), [r"a\;b", r"c\\", "d"]);
        assert_eq!(unescape("  a\\;b\\, c\\nd \\x\\"), "a;b, c\nd \\x\\");
        assert_eq!(component(r"ing. jr,M.Sc.", true), "ing. jr, M.Sc.");
        assert_eq!(component(r"Main St\, 5", true), "Main St, 5");
        assert_eq!(component("Main St,5", false), "Main St,5");
    }
}
