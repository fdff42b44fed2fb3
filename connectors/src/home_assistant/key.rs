//! The keys by which rows are known again.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};

use crate::round::KEY_BYTES_MAX;

/// A key as it is, or a digest of one that is too long.
pub(super) fn bounded(key: &str) -> String {
    match key.len() <= KEY_BYTES_MAX {
        true => key.to_owned(),
        false => digest(key.as_bytes()),
    }
}

/// One state of an entity: a second report of the same millisecond is the same row.
pub(super) fn of_history(entity_key: &str, changed_at: DateTime<Utc>) -> String {
    bounded(&format!("{entity_key}:{}", changed_at.timestamp_millis()))
}

/// What changes whenever the bytes do.
pub(super) fn digest(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a text does not fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_within_their_length() {
        assert_eq!(bounded("light.kitchen"), "light.kitchen");
        assert_eq!(bounded(&"x".repeat(513)).len(), 64);
        let at = DateTime::from_timestamp_micros(1_700_000_000_123_999).unwrap();
        assert_eq!(of_history("ab12", at), "ab12:1700000000123");
    }
}
