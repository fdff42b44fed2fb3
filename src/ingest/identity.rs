//! What a pushed record is called: the id that its source gave it, or one made of its content, alike in every replay.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::limits::SOURCE_ID_BYTES_MAX;

/// Bytes of a content's digest in a made-up source id.
const DIGEST_BYTES: usize = 16;
/// Bytes of it that are kept while a push is read.
const KEPT_DIGEST_BYTES: usize = 8;

/// An id that a device sent: a text or a number.
///
/// # Errors
/// What is wrong with it.
pub fn sent_id(value: &Value) -> Result<String, String> {
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

/// Names records that came without an id: a digest of the content and an ordinal among equals, so that a replay
/// names the same rows and two equal coffees stay two (docs/pushing.md#records).
///
/// A part of the digest is kept for each, since a push may have a million: two contents that share it only get the ordinals
/// 1 and 2, alike in every replay.
#[derive(Default)]
pub struct Ordinals(HashMap<[u8; KEPT_DIGEST_BYTES], u32>);

impl Ordinals {
    /// The source id of the next record with this content.
    pub fn name(&mut self, content: &Value) -> String {
        let digest = digest_of(content);
        let kept = std::array::from_fn(|place| digest.get(place).copied().unwrap_or_default());
        let seen = self.0.entry(kept).or_default();
        *seen += 1;
        format!("sha256:{}:{seen}", hexadecimal(&digest))
    }
}

/// A digest of the content that does not depend on the order of its members.
pub fn digest_of(content: &Value) -> [u8; DIGEST_BYTES] {
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
            let mut ordinals = Ordinals::default();
            [&coffee, &same, &json!({"amount": -3.50})].map(|record| ordinals.name(record))
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
