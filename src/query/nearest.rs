//! Finds the word that was probably meant, by edit distance. Knows nothing of what the words stand for.

/// The longest prefix of a word that is compared: time is the product of both lengths.
const WORD_CHARS_MAX: usize = 64;

/// The candidate with the smallest edit distance to `word`; the first of equals, `None` without candidates.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word: String = word.chars().take(WORD_CHARS_MAX).collect();
    candidates
        .into_iter()
        .min_by_key(|candidate| distance(&word, candidate))
}

/// The Levenshtein distance, in characters.
pub(crate) fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.chars().count()).collect();
    for (above, from) in left.chars().enumerate() {
        let mut diagonal = above;
        let mut before = above + 1;
        for (cell, to) in row.iter_mut().skip(1).zip(right.chars()) {
            let replaced = diagonal + usize::from(from != to);
            diagonal = *cell;
            before = replaced.min(before + 1).min(*cell + 1);
            *cell = before;
        }
        if let Some(first) = row.first_mut() {
            *first = above + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_was_meant_is_found() {
        let fields = ["amount", "account_id", "booked_on", "category"];
        for (wrong, right) in [
            ("ammount", "amount"),
            ("bookd_on", "booked_on"),
            ("kategory", "category"),
        ] {
            assert_eq!(nearest(wrong, fields), Some(right));
        }
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn the_distance_counts_changes() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}
