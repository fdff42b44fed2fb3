//! No value under a matching name is stored, wherever it occurs and however the name is written; every other value is
//! (2.3).
//!
//! "Contains, case-insensitive" means Unicode's full case folding, in any language's alphabet: `ſ` is an s, `ß` is
//! ss, the Kelvin sign is a k, and the Turkish dotted and dotless letters are i. Letters that only look alike
//! (full-width, Cyrillic) and names split by invisible characters are other names: their values are stored as sent,
//! as those of any unlisted name.

pub mod folded;
mod fuzzed;
mod surfaces;

use serde_json::{Map, Value, json};
use sextant_actors::audit::SafeArgs;

use crate::query::chance::{Chance, seeds_of};

/// Sets the seed to run, instead of the fixed one and a random one.
const SEED_VARIABLE: &str = "SEXTANT_REDACTION_SEED";
const USUAL_SEED: u64 = 26;
/// Arguments generated from one seed.
const VALUES: u64 = 3_000;
/// Longest arguments that are stored, in bytes of JSON (2.3, 8).
const BYTES_MAX: usize = 4096;
/// The value under matching names, which must not be found in the audit log.
pub const PLANTED: &str = "planted-and-never-kept";

/// Names that contain one of the six words.
pub const SECRETIVE: [&str; 22] = [
    "pass",
    "PASSWORD",
    "compass",
    "secret",
    "Secretary",
    "x.SECRETS",
    "token",
    "apiToken",
    "max_tokens",
    "key",
    "monkey",
    " Key ",
    "authorization",
    "X-Authorization",
    "cookie",
    "Set-COOKIES",
    "to\u{212a}en",
    "pa\u{17f}\u{17f}word",
    "Pa\u{df}wort",
    "PA\u{1e9e}WORT",
    "author\u{131}zat\u{131}on",
    "AUTHOR\u{130}ZAT\u{130}ON",
];
/// Names that contain none of them.
pub const HONEST: [&str; 14] = [
    "target",
    "pas",
    "p a s s",
    "tok",
    "ke y",
    "cook",
    "author",
    "sekret",
    "secr\u{e9}t",
    "\u{ff54}\u{ff4f}\u{ff4b}\u{ff45}\u{ff4e}",
    "\u{441}ookie",
    "to\u{200b}ken",
    "k\u{0}ey",
    "",
];

/// What the audit log must hold for these arguments, whose names are all from the two lists or plainly harmless.
pub fn expected_args(sent: &Value) -> Value {
    let kept = redacted(sent);
    if kept.to_string().len() > BYTES_MAX {
        return json!("[truncated]");
    }
    kept
}

/// What the audit log keeps of these arguments: read back, and written as `serde_json` writes it.
fn safe_args(args: &Value) -> Value {
    let safe = SafeArgs::of(args);
    let kept: Value = serde_json::from_str(safe.as_str()).unwrap();
    assert_eq!(safe.as_str(), kept.to_string());
    kept
}

fn redacted(value: &Value) -> Value {
    let cleaned = |text: &str| text.replace('\u{0}', "\u{fffd}");
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().map(|(name, value)| {
                let value = if SECRETIVE.contains(&name.as_str()) {
                    json!("[redacted]")
                } else {
                    redacted(value)
                };
                (cleaned(name), value)
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => items.iter().map(redacted).collect(),
        Value::String(text) => json!(cleaned(text)),
        plain => plain.clone(),
    }
}

/// Random JSON, with names from both lists at any depth.
pub fn junk(chance: &mut Chance) -> Value {
    let depth = 1 + chance.below(8);
    let value = value(chance, depth, false);
    // Some are exactly as long as allowed, or one byte longer.
    match chance.below(6) {
        0 => stretched(value, BYTES_MAX - 200 + chance.index(400)),
        _ => value,
    }
}

/// A random value; one that is `under_secret` contains what must not be stored.
fn value(chance: &mut Chance, depth: u64, under_secret: bool) -> Value {
    match chance.below(if depth == 0 { 5 } else { 10 }) {
        0 => Value::Null,
        1 => json!(chance.is(50)),
        2 => json!(chance.within(-1_000, 1_000)),
        3 | 4 if under_secret => json!(PLANTED),
        3 | 4 => {
            json!(chance.one_of(&["", "my password is hunter2", "a\"b\\c", "\u{0}", "grüße ☃"]))
        }
        5 | 6 => {
            let items = 0..chance.below(4);
            items
                .map(|_| value(chance, depth - 1, under_secret))
                .collect()
        }
        _ => {
            let mut fields = Map::new();
            for _ in 0..chance.below(5) {
                let is_secretive = chance.is(40);
                let names: &[&str] = if is_secretive { &SECRETIVE } else { &HONEST };
                let name = chance.one_of(names).to_string();
                let inner = value(chance, depth - 1, under_secret || is_secretive);
                fields.insert(name, inner);
            }
            Value::Object(fields)
        }
    }
}

/// The value in a list, beside a text that makes the whole this many bytes long after redaction.
pub fn stretched(value: Value, bytes: usize) -> Value {
    let bare = json!([value, ""]);
    let rest = bytes.saturating_sub(redacted(&bare).to_string().len());
    json!([bare[0], "x".repeat(rest)])
}

#[test]
fn r026_no_value_under_a_matching_name_survives_in_any_folding_or_depth() {
    for seed in seeds_of(SEED_VARIABLE, USUAL_SEED) {
        let (mut planted, mut truncated, mut exact) = (0, 0, 0);
        for number in 0..VALUES {
            let mut chance = Chance::of(seed).part(number);
            let sent = junk(&mut chance);
            let kept = safe_args(&sent);
            assert_eq!(kept, expected_args(&sent), "seed {seed}, value {number}");
            assert_eq!(safe_args(&kept), kept, "seed {seed}, value {number}: twice");
            let text = kept.to_string();
            assert!(
                !text.contains(PLANTED),
                "seed {seed}, value {number}: {text}"
            );
            planted += usize::from(sent.to_string().contains(PLANTED));
            truncated += usize::from(kept == "[truncated]");
            exact += usize::from(text.len() > BYTES_MAX - 200);
        }
        let enough = [planted, truncated, exact].iter().all(|count| *count > 50);
        assert!(
            enough,
            "{planted} planted, {truncated} cut, {exact} near the bound"
        );
    }
}

#[test]
fn r026_each_name_of_both_lists_is_judged_in_each_place() {
    let places = [
        |name: &str| json!({ name: PLANTED }),
        |name: &str| json!([{ name: { "a": [PLANTED] } }]),
        |name: &str| json!({ "a": [[{ "b": { name: [[PLANTED]] } }]] }),
    ];
    for place in places {
        for name in SECRETIVE {
            let kept = safe_args(&place(name)).to_string();
            assert!(!kept.contains(PLANTED), "{name}: {kept}");
            assert!(kept.contains("[redacted]"), "{name}: {kept}");
        }
        for name in HONEST {
            let kept = safe_args(&place(name)).to_string();
            assert!(kept.contains(PLANTED), "{name}: {kept}");
        }
    }
}

#[test]
fn r027_4096_bytes_after_redaction_are_kept_and_one_more_is_not() {
    for seed in seeds_of(SEED_VARIABLE, USUAL_SEED) {
        for number in 0..200 {
            let mut chance = Chance::of(seed).part(number);
            let inner = value(&mut chance, 5, false);
            if redacted(&inner).to_string().len() > BYTES_MAX - 100 {
                continue;
            }
            let (fits, not) = (
                stretched(inner.clone(), BYTES_MAX),
                stretched(inner, BYTES_MAX + 1),
            );
            assert_eq!(safe_args(&fits), redacted(&fits), "seed {seed}, {number}");
            assert_eq!(safe_args(&fits).to_string().len(), BYTES_MAX);
            assert_eq!(safe_args(&not), "[truncated]", "seed {seed}, {number}");
        }
    }
}
