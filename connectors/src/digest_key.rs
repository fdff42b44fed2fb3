//! Keys that are too long, and versions, as digests.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::limits::KEY_BYTES_MAX;

/// A key as it is, or its digest if it is longer than [`KEY_BYTES_MAX`].
pub(crate) fn within_limit(key: impl Into<String>) -> String {
    let key = key.into();
    match key.len() {
        ..=KEY_BYTES_MAX => key,
        _ => digest(key),
    }
}

/// What stands for the bytes as a key, and changes whenever they do.
pub(crate) fn digest(bytes: impl AsRef<[u8]>) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold("sha256:".to_owned(), |mut hex, byte| {
        let _infallible = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_key_is_a_digest() {
        let long = "a".repeat(KEY_BYTES_MAX);
        assert_eq!(within_limit(long.as_str()), long);
        let [one, other] = ["b", "c"].map(|last| within_limit(format!("{long}{last}")));
        assert!(one.starts_with("sha256:") && one.len() == 71 && one != other);
    }
}
