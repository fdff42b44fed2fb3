//! Keys that are too long, as digests.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::round::KEY_BYTES_MAX;

/// A key as it is, or its digest if it is longer than [`KEY_BYTES_MAX`].
pub(crate) fn within_limit(key: String) -> String {
    match key.len() {
        ..=KEY_BYTES_MAX => key,
        _ => digest(&key),
    }
}

/// The digest of a text, as a key or a version.
pub(crate) fn digest(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().fold("sha256:".to_owned(), |mut hex, byte| {
        let _infallible = write!(hex, "{byte:02x}");
        hex
    })
}
