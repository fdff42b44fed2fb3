//! Source ids from the file's own keys.
//!
//! The same file pushed twice must give the same ids, and two entries that differ must never share one. A
//! record with a key of its own is called by it; if the key returns with other content, the later ones get an
//! ordinal. A record without a key is called by a digest of its content, and equal ones are numbered over the
//! whole file, so that two equal coffees stay two. Holds digests only, 32 bytes a record.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::entry::RecordFields;

type ContentDigest = [u8; 16];

/// Gives out the ids of one file, or of files that belong together.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    /// Key to the content that it stood for first.
    keyed: HashMap<ContentDigest, ContentDigest>,
    /// Key to the other contents it has stood for, each with its ordinal: most keys have none.
    others: HashMap<ContentDigest, HashMap<ContentDigest, u64>>,
    /// Content to how often it has been seen without a key.
    unkeyed: HashMap<ContentDigest, u64>,
}

impl Identities {
    /// The id of a record that the file itself names by `key`.
    pub(crate) fn id_from_key(&mut self, key: &str, content: &RecordFields) -> String {
        let (name, content) = (digest_of_text(key), digest_of(content));
        if *self.keyed.entry(name).or_insert(content) == content {
            return key.to_owned();
        }
        let others = self.others.entry(name).or_default();
        let next = others.len() as u64 + 2;
        with_ordinal(key, *others.entry(content).or_insert(next))
    }

    /// The next of the files that belong together: its keys are theirs, but what is without a key is numbered in each anew.
    pub(crate) fn begin_file(&mut self) {
        self.unkeyed.clear();
    }

    /// The id of a record that the file does not name; `prefix` says whose it is, for instance an account.
    pub(crate) fn id_from_content(&mut self, prefix: &str, content: &RecordFields) -> String {
        let digest = digest_of(content);
        let id = format!("{prefix}{}", hex(&digest));
        let count = self.unkeyed.entry(digest_of_text(&id)).or_default();
        *count += 1;
        with_ordinal(&id, *count)
    }
}

/// How many different records may lie between two that are equal, if they are to stay two.
const NEIGHBOURS_MAX: usize = 65_536;

/// Gives out ids in files that hold more records than can be remembered, and have equal ones near one another because
/// they are sorted. Equal ones that stand too far apart get one id, so they become one record.
#[derive(Debug, Default)]
pub(crate) struct RecentIdentities {
    /// How often each record has been seen.
    seen: HashMap<ContentDigest, u64>,
    /// The same records in the file's order, the oldest first.
    order: VecDeque<ContentDigest>,
}

impl RecentIdentities {
    /// The id of a record that these parts identify.
    pub(crate) fn id_from_parts(&mut self, parts: &[&str]) -> String {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part.len().to_be_bytes());
            hasher.update(part);
        }
        let digest = shorten(hasher);
        let count = self.seen.entry(digest).or_default();
        *count += 1;
        let id = with_ordinal(&hex(&digest), *count);
        if *count == 1 {
            self.order.push_back(digest);
        }
        if self.order.len() > NEIGHBOURS_MAX {
            let oldest = self.order.pop_front();
            oldest.map(|oldest| self.seen.remove(&oldest));
        }
        id
    }
}

fn with_ordinal(id: &str, ordinal: u64) -> String {
    match ordinal {
        1 => id.to_owned(),
        ordinal => format!("{id}~{ordinal}"),
    }
}

fn digest_of_text(text: &str) -> ContentDigest {
    shorten(Sha256::new_with_prefix(text))
}

fn digest_of(content: &RecordFields) -> ContentDigest {
    let mut hasher = Sha256::new();
    feed_fields(&mut hasher, content);
    shorten(hasher)
}

fn shorten(hasher: Sha256) -> ContentDigest {
    let mut digest = ContentDigest::default();
    for (short, long) in digest.iter_mut().zip(hasher.finalize()) {
        *short = long;
    }
    digest
}

/// Feeds the fields in the order of their names: what order a file writes them in is not content.
fn feed_fields(hasher: &mut Sha256, fields: &RecordFields) {
    let mut sorted: Vec<_> = fields.iter().collect();
    sorted.sort_by_key(|(name, _)| *name);
    hasher.update(b"{");
    for (name, value) in sorted {
        hasher.update(Value::from(name.as_str()).to_string());
        feed(hasher, value);
    }
    hasher.update(b"}");
}

fn feed(hasher: &mut Sha256, value: &Value) {
    match value {
        Value::Object(fields) => feed_fields(hasher, fields),
        Value::Array(values) => {
            hasher.update(b"[");
            values.iter().for_each(|value| feed(hasher, value));
            hasher.update(b"]");
        }
        plain => hasher.update(format!("{plain},")),
    }
}

fn hex(digest: &ContentDigest) -> String {
    digest.iter().fold(String::new(), |mut hex, byte| {
        let _infallible = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> RecordFields {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn a_key_names_its_content_and_other_content_gets_an_ordinal() {
        let mut identities = Identities::default();
        let (first, other) = (fields(json!({"a": 1})), fields(json!({"a": 2})));
        assert_eq!(identities.id_from_key("k", &first), "k");
        assert_eq!(identities.id_from_key("k", &other), "k~2");
        assert_eq!(identities.id_from_key("k", &first), "k");
        assert_eq!(identities.id_from_key("k", &other), "k~2");
        let third = fields(json!({"a": 3}));
        for _ in 0..2 {
            assert_eq!(identities.id_from_key("k", &third), "k~3");
            assert_eq!(identities.id_from_key("l", &other), "l");
        }
    }

    #[test]
    fn equal_records_without_a_key_are_numbered() {
        let mut identities = Identities::default();
        let coffee = fields(json!({"amount": -3, "at": {"x": [1, 2], "y": null}}));
        let same_coffee = fields(json!({"at": {"y": null, "x": [1, 2]}, "amount": -3}));
        let first = identities.id_from_content("", &coffee);
        assert_eq!(
            identities.id_from_content("", &same_coffee),
            format!("{first}~2")
        );
        assert_eq!(Identities::default().id_from_content("", &coffee), first);
    }

    #[test]
    fn files_that_belong_together_share_their_keys_alone() {
        let mut identities = Identities::default();
        let (first, other) = (fields(json!({"a": 1})), fields(json!({"a": 2})));
        let id = identities.id_from_content("", &first);
        assert_eq!(identities.id_from_key("k", &first), "k");
        identities.begin_file();
        assert_eq!(identities.id_from_content("", &first), id);
        assert_eq!(identities.id_from_key("k", &other), "k~2");
    }

    #[test]
    fn near_ones_are_numbered_and_memory_has_an_end() {
        let mut identities = RecentIdentities::default();
        let first = identities.id_from_parts(&["heart_rate", "61"]);
        assert_eq!(
            identities.id_from_parts(&["heart_rate", "61"]),
            format!("{first}~2")
        );
        assert_ne!(identities.id_from_parts(&["heart_rate6", "1"]), first);
        for other in 0..NEIGHBOURS_MAX {
            identities.id_from_parts(&[&other.to_string()]);
        }
        assert_eq!(identities.seen.len(), NEIGHBOURS_MAX);
        assert_eq!(identities.id_from_parts(&["heart_rate", "61"]), first);
    }

    #[test]
    fn what_stands_in_a_text_is_not_taken_for_structure() {
        let mut identities = Identities::default();
        let one = identities.id_from_content("", &fields(json!({"a": ["x", "y"]})));
        let two = identities.id_from_content("", &fields(json!({"a": ["x\",\"y"]})));
        assert_ne!(one, two);
    }
}
