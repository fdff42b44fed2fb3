//! What an address or a number is called: TYPE and PREF, or the label that Apple and Google tie to it.

use super::card::Card;
use super::property::CardProperty;

/// Types that say nothing about whose or what kind it is.
const MEANINGLESS: [&str; 12] = [
    "pref",
    "internet",
    "voice",
    "msg",
    "x400",
    "postal",
    "parcel",
    "intl",
    "dom",
    "video",
    "text",
    "textphone",
];
/// Types under one word each.
const WORDS: [(&str, &str); 4] = [
    ("cell", "mobile"),
    ("main-number", "main"),
    ("x-mobile", "mobile"),
    ("homepage", "homepage"),
];
/// The worst PREF there is (RFC 6350 §5.3); a property without one comes after all that have it.
const PREFERENCE_WORST: u32 = 100;

/// In lower case, several words in the order home or work, then the kind; the person's own label as it is.
pub(super) fn label_of(card: &Card, property: &CardProperty) -> Option<String> {
    let own = card
        .companion(property, "X-ABLABEL")
        .or_else(|| property.parameter("X-LABEL").map(str::to_owned));
    if let Some(own) = own.filter(|own| !own.trim().is_empty()) {
        return Some(plain(&own));
    }
    let types = property.types();
    let mut words: Vec<&str> = Vec::new();
    for kind in types
        .iter()
        .filter(|kind| !MEANINGLESS.contains(&kind.as_str()))
    {
        let known = WORDS.iter().find(|(written, _)| written == kind);
        let word = known.map_or(kind.as_str(), |(_, word)| word);
        let word = word.strip_prefix("x-").unwrap_or(word);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.sort_by_key(|word| !matches!(*word, "home" | "work"));
    Some(words.join(" ")).filter(|label| !label.is_empty())
}

/// `_$!<HomePage>!$_` is how Apple marks its own labels.
fn plain(label: &str) -> String {
    let own = label
        .trim()
        .strip_prefix("_$!<")
        .and_then(|rest| rest.strip_suffix(">!$_"));
    own.map_or_else(|| label.trim().to_owned(), str::to_lowercase)
}

/// How much it is preferred: the lower, the more; `None` if the card says nothing.
pub(super) fn preference(property: &CardProperty) -> Option<u32> {
    let written = property.parameter("PREF");
    let number = written.map(|text| text.trim().parse().unwrap_or(PREFERENCE_WORST));
    let is_preferred = property.types().iter().any(|kind| kind == "pref");
    number.or_else(|| is_preferred.then_some(1))
}
