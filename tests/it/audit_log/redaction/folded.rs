//! The six words in every spelling that differs from them in case alone, in any alphabet's sense.

use super::safe_args;
use serde_json::json;

use super::{PLANTED, SEED_VARIABLE, USUAL_SEED};
use crate::query::chance::{Chance, seeds_of};

pub const WORDS: [&str; 6] = ["pass", "secret", "token", "key", "authorization", "cookie"];
/// Other characters whose case folding is one of these letters, or two of them.
const OTHERS: [(&str, &[&str]); 4] = [
    ("ss", &["\u{df}", "\u{1e9e}", "\u{17f}S"]),
    ("s", &["\u{17f}"]),
    ("k", &["\u{212a}"]),
    ("i", &["\u{130}", "\u{131}", "i\u{307}"]),
];
/// Names generated from one seed.
const NAMES: u64 = 2_000;

/// A name that contains `word`, each letter in a random spelling.
pub fn folded(word: &str, chance: &mut Chance) -> String {
    let mut name = String::from(*chance.one_of(&["", "x-", "\u{130}", "my "]));
    let mut rest = word;
    while let Some(letter) = rest.chars().next() {
        let written = OTHERS.iter().find(|(plain, _)| rest.starts_with(plain));
        match written.filter(|_| chance.is(50)) {
            Some((plain, others)) => {
                name.push_str(chance.one_of::<&str>(others));
                rest = &rest[plain.len()..];
            }
            None => {
                let is_capital = chance.is(50);
                name.push(if is_capital {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                });
                rest = &rest[1..];
            }
        }
    }
    name + chance.one_of::<&str>(&["", "s", "_1", "\u{df}"])
}

#[test]
fn r026_a_word_is_a_word_however_its_letters_are_written() {
    for seed in seeds_of(SEED_VARIABLE, USUAL_SEED) {
        for number in 0..NAMES {
            let mut chance = Chance::of(seed).part(number);
            let word = *chance.one_of(&WORDS);
            let name = folded(word, &mut chance);
            let sent = json!({ "a": [{ "b": { name.as_str(): { "c": PLANTED } } }] });
            let expected = json!({ "a": [{ "b": { name.as_str(): "[redacted]" } }] });
            assert_eq!(safe_args(&sent), expected, "seed {seed}, {number}: {name}");
        }
    }
}
