//! The source id of a pushed record: the one that the device sent, or one made of the content, the same in every replay.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::limits::SOURCE_ID_BYTES_MAX;

/// Bytes of the content's digest in a generated source id.
const DIGEST_BYTES: usize = 16;

/// An id that a device sent: a text or a number of 1 to [`SOURCE_ID_BYTES_MAX`] bytes.
///
/// # Errors
/// The problem, as the end of a sentence that begins with the field's name.
pub(super) fn sent_id(value: &Value) -> Result<String, String> {
    let text = match value {
        Value::String(text) => text.replace('\0', "\u{fffd}"),
        Value::Number(number) => number.to_string(),
        _ => return Err("must be a text or a number".to_owned()),
    };
    if text.is_empty() || text.len() > SOURCE_ID_BYTES_MAX {
        return Err(format!("must have 1 to {SOURCE_ID_BYTES_MAX} bytes"));
    }
    Ok(text)
}

/// Source ids for records that were sent without an id: a digest of the content and an ordinal among equal contents. So a
/// replay yields the same ids, and two equal purchases stay two records (docs/pushing.md#records).
///
/// The count of each content is kept under half of its digest, since a push may have a million records. Two contents that
/// share that half get the ordinals 1 and 2, again the same in every replay.
#[derive(Default)]
pub(super) struct ContentIds(HashMap<u64, u32>);

impl ContentIds {
    /// The source id of the next record with this content.
    pub(super) fn next_for(&mut self, content: &Value) -> String {
        let digest = digest_of(content);
        let [a, b, c, d, e, f, g, h, ..] = digest;
        let half = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        let count = self.0.entry(half).or_default();
        *count += 1;
        format!("sha256:{}:{count}", hexadecimal(&digest))
    }
}

/// The first half of the content's SHA-256; it does not depend on the order of an object's members.
pub(super) fn digest_of(content: &Value) -> [u8; DIGEST_BYTES] {
    let mut hasher = Sha256::new();
    feed(&mut hasher, content);
    let digest: [u8; 32] = hasher.finalize().into();
    let mut short = [0; DIGEST_BYTES];
    short
        .iter_mut()
        .zip(digest)
        .for_each(|(to, from)| *to = from);
    short
}

fn feed(hasher: &mut Sha256, value: &Value) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<_> = members.iter().collect();
            names.sort_by_key(|(name, _)| *name);
            hasher.update(b"{");
            for (name, member) in names {
                feed(hasher, &Value::String(name.clone()));
                feed(hasher, member);
            }
            hasher.update(b"}");
        }
        Value::Array(elements) => {
            hasher.update(b"[");
            elements.iter().for_each(|element| feed(hasher, element));
            hasher.update(b"]");
        }
        scalar => {
            hasher.update(scalar.to_string().as_bytes());
            hasher.update(b",");
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_records_are_numbered_and_a_replay_names_them_alike() {
        let coffee = json!({"amount": -3.5, "description": "coffee"});
        let same = json!({"description": "coffee", "amount": -3.5});
        let name_all = || {
            let mut ids = ContentIds::default();
            [&coffee, &same, &json!({"amount": -3.50})].map(|record| ids.next_for(record))
        };
        let names = name_all();
        assert_eq!(names, name_all());
        assert!(names[0].ends_with(":1") && names[1].ends_with(":2") && names[2].ends_with(":1"));
        assert_eq!(
            names[0].trim_end_matches("1"),
            names[1].trim_end_matches("2")
        );
    }
}
