//! What is shown of the id of an operator's app, so that it is known again.

/// Characters that are shown at each end; of a short one, fewer.
const HINT_CHARACTERS: usize = 4;

/// Its ends.
pub(super) fn hint(client_id: &str) -> String {
    let letters: Vec<char> = client_id.chars().collect();
    let shown = HINT_CHARACTERS.min(letters.len() / 3);
    let first: String = letters.iter().take(shown).collect();
    let last: String = letters.iter().skip(letters.len() - shown).collect();
    format!("{first}…{last}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_shows_the_ends() {
        assert_eq!(hint("1234567890abcdef"), "1234…cdef");
        assert_eq!(hint("abc"), "a…c");
        assert_eq!(hint("a"), "…");
    }
}
