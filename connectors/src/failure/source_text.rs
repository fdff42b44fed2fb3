//! What a source said, made fit to be kept: cut, without control characters, without what an address may hold of a password.

use crate::limits::SOURCE_TEXT_CHARACTERS_MAX;

/// The words on one line, each address without its user information. Other words may follow: the last full stop is left out.
pub(crate) fn clean(said: &str) -> String {
    let shown: String = said
        .chars()
        .take(SOURCE_TEXT_CHARACTERS_MAX)
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    let words = shown.split_whitespace().map(without_user);
    let line = words.collect::<Vec<_>>().join(" ");
    line.trim_end_matches('.').to_owned()
}

/// `scheme://user:password@host` as `scheme://host`.
fn without_user(word: &str) -> String {
    let Some((scheme, rest)) = word.split_once("://") else {
        return word.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or_default();
    // What was cut in its middle may end before the `@` that marks it as a password.
    let host = if host.len() == authority.len() && tail.is_empty() && host.contains(':') {
        host.split(':').next().unwrap_or_default()
    } else {
        host
    };
    format!("{scheme}://{host}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_their_users() {
        assert_eq!(
            clean("go to\nhttps://a:b@c.example/d@e now"),
            "go to https://c.example/d@e now"
        );
        assert_eq!(clean("https://a:passw"), "https://a");
        assert_eq!(clean("https://c.example/d"), "https://c.example/d");
        assert_eq!(clean(" \u{0} "), "");
        assert_eq!(clean("Access forbidden.\n"), "Access forbidden");
    }
}
