//! From a JSON text to the arguments that the audit log stores for it: no value under a matching name, all other
//! values, and never more than fits.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use sextant_actors::audit::{REDACTED, SafeArgs, TRUNCATED};

/// Longest arguments that are stored, in bytes of JSON (r027).
const BYTES_MAX: usize = 4096;
const WORDS: [&str; 6] = ["pass", "secret", "token", "key", "authorization", "cookie"];

/// The outcome of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// It is not JSON.
    Nothing,
    /// It is too long or too deep.
    Truncated,
    /// A value of it is redacted.
    Redacted,
    /// All of it is stored.
    Whole,
}

/// Runs one input.
pub fn drive(input: &[u8]) -> Kept {
    let Ok(sent) = serde_json::from_slice::<Value>(input) else {
        return Kept::Nothing;
    };
    let safe = SafeArgs::of(&sent);
    assert!(safe.as_str().len() <= BYTES_MAX, "too long");
    let Ok(kept) = serde_json::from_str::<Value>(safe.as_str()) else {
        panic!("what is kept is no JSON: {safe:?}");
    };
    assert_eq!(kept.to_string(), safe.as_str(), "compact");
    assert_eq!(SafeArgs::of(&kept), safe, "twice is once");
    if kept == TRUNCATED {
        return Kept::Truncated;
    }
    match compare(&sent, &kept) {
        true => Kept::Redacted,
        false => Kept::Whole,
    }
}

/// Asserts that `kept` is what must be stored for `sent`; returns whether anything was redacted.
fn compare(sent: &Value, kept: &Value) -> bool {
    match (sent, kept) {
        (Value::Object(sent), Value::Object(kept)) => compare_fields(sent, kept),
        (Value::Array(sent), Value::Array(kept)) => {
            assert_eq!(sent.len(), kept.len());
            let pairs = sent.iter().zip(kept);
            pairs.fold(false, |any, (sent, kept)| compare(sent, kept) | any)
        }
        (Value::String(sent), Value::String(kept)) => {
            assert_eq!(cleaned(sent), *kept);
            false
        }
        (sent, kept) => {
            assert_eq!(sent, kept);
            false
        }
    }
}

fn compare_fields(sent: &Map<String, Value>, kept: &Map<String, Value>) -> bool {
    let names: BTreeSet<String> = sent.keys().map(|name| cleaned(name)).collect();
    assert!(names.iter().eq(kept.keys().collect::<BTreeSet<_>>()));
    let mut any = false;
    for (name, value) in sent {
        let found = &kept[&cleaned(name)];
        let is_redacted = found == REDACTED && value != REDACTED;
        any |= is_redacted;
        if matches(name) {
            assert_eq!(found, REDACTED, "{name:?}");
        } else if !is_redacted && names.len() == sent.len() {
            any |= compare(value, found);
        } else {
            assert!(
                !name.is_ascii() || names.len() < sent.len(),
                "{name:?} is honest"
            );
        }
    }
    any
}

/// Whether the name contains a word, ignoring case; this may know fewer letters than the audit log does, never more.
fn matches(name: &str) -> bool {
    let fold = |letter: char| match letter {
        '\u{17f}' => "s".to_owned(),
        '\u{df}' | '\u{1e9e}' => "ss".to_owned(),
        '\u{131}' | '\u{130}' => "i".to_owned(),
        '\u{212a}' => "k".to_owned(),
        plain => plain.to_ascii_lowercase().to_string(),
    };
    let folded: String = name.chars().map(fold).collect();
    WORDS.iter().any(|word| folded.contains(word))
}

fn cleaned(text: &str) -> String {
    text.replace('\u{0}', "\u{fffd}")
}
