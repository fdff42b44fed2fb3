//! Unmistakable words drawn from a seed, and every encoding in which one might leak.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use sha2::{Digest as _, Sha256};

/// Number of bytes by which an encoding is looked up; none is shorter.
const START_BYTES: usize = 4;

/// The kind of a word, which decides where it may be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A key, a secret or a password: shown in one answer, stored nowhere.
    Secret,
    /// Sent where nothing stores it: in a refused body, a header, a path, under a name that is redacted.
    Stray,
    /// Personal data, pushed and stored.
    Payload,
    /// An agent's argument under a name that the audit log stores as sent.
    Said,
    /// An agent's argument under a name that the audit log redacts: at most repeated to that agent.
    Hidden,
    /// A text of the operator's, stored and shown in the Console.
    Told,
}

pub struct Marker {
    pub kind: Kind,
    pub place: String,
    pub text: String,
}

/// One word found where it must not be.
pub struct Found<'a> {
    pub marker: &'a Marker,
    pub form: &'static str,
    pub at: usize,
}

/// All words of one run.
pub struct Markers {
    seed: String,
    made: Vec<Marker>,
}

impl Markers {
    pub fn seeded(seed: &str) -> Self {
        Self {
            seed: seed.to_owned(),
            made: Vec::new(),
        }
    }

    /// A new word for `place`.
    pub fn word(&mut self, kind: Kind, place: &str) -> String {
        let text = format!("zQ{}", &hexadecimal(&self.drawn(place))[..26]);
        self.know(kind, place, &text);
        text
    }

    /// A new number for `place`, of fifteen digits that occur nowhere else.
    pub fn number(&mut self, kind: Kind, place: &str) -> i64 {
        let bytes: [u8; 8] = self.drawn(place)[..8].try_into().unwrap();
        let number = 100_000_000_000_000 + (u64::from_be_bytes(bytes) >> 15).cast_signed();
        self.know(kind, place, &number.to_string());
        number
    }

    /// Adds a word that the service made itself, such as a key.
    pub fn know(&mut self, kind: Kind, place: &str, text: &str) {
        self.made.push(Marker {
            kind,
            place: place.to_owned(),
            text: text.to_owned(),
        });
    }

    /// The word that was planted there.
    pub fn text_of(&self, place: &str) -> String {
        let planted = self.made.iter().find(|marker| marker.place == place);
        planted
            .unwrap_or_else(|| panic!("nothing at {place}"))
            .text
            .clone()
    }

    pub fn finder(&self) -> Finder<'_> {
        Finder::of(&self.made)
    }

    fn drawn(&self, place: &str) -> Vec<u8> {
        Sha256::digest(format!("{}/{}/{place}", self.seed, self.made.len())).to_vec()
    }
}

/// Searches for every encoding of every word at once.
pub struct Finder<'a> {
    forms: Vec<(&'a Marker, &'static str, Vec<u8>)>,
    by_start: HashMap<[u8; START_BYTES], Vec<usize>>,
    /// Whether any encoding begins with these two bytes.
    begins: Vec<bool>,
}

impl<'a> Finder<'a> {
    fn of(markers: &'a [Marker]) -> Self {
        let forms: Vec<_> = markers
            .iter()
            .flat_map(|marker| {
                forms_of(&marker.text)
                    .into_iter()
                    .map(move |(form, bytes)| (marker, form, bytes))
            })
            .collect();
        let mut by_start: HashMap<_, Vec<usize>> = HashMap::new();
        let mut begins = vec![false; 1 << 16];
        for (index, (_, _, bytes)) in forms.iter().enumerate() {
            let start = bytes[..START_BYTES].try_into().unwrap();
            by_start.entry(start).or_default().push(index);
            begins[pair(bytes)] = true;
        }
        Self {
            forms,
            by_start,
            begins,
        }
    }

    /// Each word in `bytes`, in any encoding, once for each encoding.
    pub fn find(&self, bytes: &[u8]) -> Vec<Found<'a>> {
        let mut found = Vec::new();
        for (at, window) in bytes.windows(START_BYTES).enumerate() {
            if !self.begins[pair(window)] {
                continue;
            }
            for index in self.by_start.get(window).into_iter().flatten() {
                let (marker, form, form_bytes) = &self.forms[*index];
                if bytes[at..].starts_with(form_bytes) {
                    found.push(Found { marker, form, at });
                }
            }
        }
        found
    }
}

fn pair(bytes: &[u8]) -> usize {
    usize::from(bytes[0]) << 8 | usize::from(bytes[1])
}

/// The word itself, and its encodings by a careless program.
fn forms_of(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let bytes = text.as_bytes();
    let joined = |part: fn(&u8) -> String, between: &str| {
        bytes.iter().map(part).collect::<Vec<_>>().join(between)
    };
    let digest = Sha256::digest(bytes);
    let mut forms = vec![
        ("plain", text.to_owned()),
        ("lower case", text.to_lowercase()),
        ("upper case", text.to_uppercase()),
        ("reversed case", swapped_case(text)),
        ("percent-encoded", joined(|byte| format!("%{byte:02X}"), "")),
        ("percent-encoded", joined(|byte| format!("%{byte:02x}"), "")),
        ("JSON escapes", joined(|byte| format!("\\u{byte:04x}"), "")),
        ("Debug of bytes", joined(u8::to_string, ", ")),
        ("hex", hexadecimal(bytes)),
        ("hex", hexadecimal(bytes).to_uppercase()),
        (DIGEST, hexadecimal(&digest)),
        (DIGEST, hexadecimal(&digest).to_uppercase()),
        (DIGEST, joined_bytes(&digest)),
    ];
    for engine in [&STANDARD, &URL_SAFE] {
        forms.push((
            DIGEST,
            engine.encode(digest).trim_end_matches('=').to_owned(),
        ));
        forms.extend((0..3).map(|before| ("base64", inner_base64(engine, bytes, before))));
    }
    forms.sort_by(|one, other| one.1.cmp(&other.1));
    forms.dedup_by(|one, other| one.1 == other.1);
    forms
        .into_iter()
        .map(|(form, text)| (form, text.into_bytes()))
        .collect()
}

/// The encoding that may occur where the service looks keys up, and nowhere else.
pub const DIGEST: &str = "SHA-256";

/// The base64 of `bytes` after `before` other bytes, without the digits that depend on neighbouring bytes.
fn inner_base64(engine: &impl base64::Engine, bytes: &[u8], before: usize) -> String {
    let padded = [&[0; 2][..before], bytes].concat();
    let whole = engine.encode(&padded);
    let first = if before == 0 { 0 } else { before + 1 };
    let last = padded.len() * 8 / 6;
    whole[first..last].to_owned()
}

fn joined_bytes(bytes: &[u8]) -> String {
    let parts: Vec<_> = bytes.iter().map(u8::to_string).collect();
    parts.join(", ")
}

fn swapped_case(text: &str) -> String {
    let swap = |letter: char| match letter {
        lower if lower.is_ascii_lowercase() => lower.to_ascii_uppercase(),
        other => other.to_ascii_lowercase(),
    };
    text.chars().map(swap).collect()
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn r028_the_search_finds_a_word_in_each_of_its_forms() {
    let mut markers = Markers::seeded("self-check");
    let word = markers.word(Kind::Secret, "here");
    let number = markers.number(Kind::Payload, "there");
    let finder = markers.finder();
    assert!(finder.find(b"nothing of it, not even zQ0").is_empty());
    let log = format!("a line {number}.25 of the test's own\n");
    assert_eq!(finder.find(log.as_bytes())[0].marker.place, "there");
    for before in 0..3 {
        let header = format!("{}Bearer {word} and more", "x".repeat(before));
        for engine in [&STANDARD, &URL_SAFE] {
            let found = finder.find(engine.encode(&header).as_bytes())[0].form;
            assert_eq!(found, "base64");
        }
    }
    let url = format!("{:?}", word.as_bytes());
    assert_eq!(finder.find(url.as_bytes())[0].form, "Debug of bytes");
    for (form, bytes) in forms_of(&word) {
        let around = [b"before ".as_slice(), &bytes, b" behind"].concat();
        assert!(
            finder
                .find(&around)
                .iter()
                .any(|found| found.form == form && found.at == 7)
        );
    }
}
