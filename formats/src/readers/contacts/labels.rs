//! Labels and preferences of addresses and numbers: TYPE and PREF, or the label that Apple and Google attach.

use super::card::Card;
use super::property::CardProperty;

/// Types that are no useful label.
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
/// Types that are written differently but mean the same, each with the label it gets.
const LABEL_OF_TYPE: [(&str, &str); 4] = [
    ("cell", "mobile"),
    ("main-number", "main"),
    ("x-mobile", "mobile"),
    ("homepage", "homepage"),
];
/// The lowest preference of PREF (RFC 6350 §5.3); used for a PREF that is no number.
const PREFERENCE_LOWEST: u32 = 100;

/// The types in lower case, `home` or `work` first; a label that the person wrote as it is.
pub(super) fn label_of(card: &Card, property: &CardProperty) -> Option<String> {
    let own = card
        .companion(property, "X-ABLABEL")
        .or_else(|| property.parameter("X-LABEL").map(str::to_owned));
    if let Some(own) = own.filter(|own| !own.trim().is_empty()) {
        return Some(without_apple_marks(&own));
    }
    let types = property.types();
    let mut words: Vec<&str> = Vec::new();
    for kind in types
        .iter()
        .filter(|kind| !MEANINGLESS.contains(&kind.as_str()))
    {
        let known = LABEL_OF_TYPE.iter().find(|(written, _)| written == kind);
        let word = known.map_or(kind.as_str(), |(_, word)| word);
        let word = word.strip_prefix("x-").unwrap_or(word);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.sort_by_key(|word| !matches!(*word, "home" | "work"));
    Some(words.join(" ")).filter(|label| !label.is_empty())
}

/// Apple writes its predefined labels as `_$!<HomePage>!$_`.
fn without_apple_marks(label: &str) -> String {
    let own = label
        .trim()
        .strip_prefix("_$!<")
        .and_then(|rest| rest.strip_suffix(">!$_"));
    own.map_or_else(|| label.trim().to_owned(), str::to_lowercase)
}

/// The preference, a lower number being preferred; `None` if the card has none.
pub(super) fn preference(property: &CardProperty) -> Option<u32> {
    let written = property.parameter("PREF");
    let number = written.map(|text| text.trim().parse().unwrap_or(PREFERENCE_LOWEST));
    let is_preferred = property.types().iter().any(|kind| kind == "pref");
    number.or_else(|| is_preferred.then_some(1))
}
