use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::random;

/// Bytes of randomness in an agent key and in an ingest secret (r061, r085).
const SECRET_BYTES: usize = 32;
/// What an agent key begins with, so that a leaked one can be recognised.
const KEY_PREFIX: &str = "sxt_";
/// What an ingest secret begins with.
const SECRET_PREFIX: &str = "sxi_";

/// The SHA-256 of an agent key or an ingest secret: the only form in which either is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a presented key or secret.
    pub fn of(presented: &str) -> Self {
        Self(Sha256::digest(presented.as_bytes()).into())
    }

    /// A stored digest; `None` when it has not exactly 32 bytes, so that it can match nothing (r082).
    pub fn from_stored(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The 32 bytes, for storing and for comparing in constant time.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Digest(..)")
    }
}

/// A fresh agent key: shown once, never kept.
pub struct AgentKey(String);

/// A fresh ingest secret: shown once, never kept.
pub struct IngestSecret(String);

impl AgentKey {
    /// Mints a key of 256 random bits.
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub fn mint() -> Result<Self, random::Unavailable> {
        mint(KEY_PREFIX).map(Self)
    }

    /// What is stored of it.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }

    /// The text to show, once.
    pub fn reveal(self) -> String {
        self.0
    }
}

impl IngestSecret {
    /// Mints a secret of 32 random bytes.
    ///
    /// # Errors
    /// When the operating system gives no randomness.
    pub fn mint() -> Result<Self, random::Unavailable> {
        mint(SECRET_PREFIX).map(Self)
    }

    /// What is stored of it.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }

    /// The text to show, once.
    pub fn reveal(self) -> String {
        self.0
    }
}

fn mint(prefix: &str) -> Result<String, random::Unavailable> {
    let bytes = random::bytes::<SECRET_BYTES>()?;
    Ok(format!("{prefix}{}", random::base64url(&bytes)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The bytes that the text holds behind its prefix.
    fn bytes_of(text: &str, prefix: &str) -> Vec<u8> {
        let encoded = text.strip_prefix(prefix).unwrap();
        random::from_base64url(encoded).unwrap()
    }

    #[test]
    fn r061_r085_a_key_and_a_secret_hold_32_random_bytes() {
        let mut seen = HashSet::new();
        for _ in 0..100 {
            let key = AgentKey::mint().unwrap().reveal();
            let secret = IngestSecret::mint().unwrap().reveal();
            for bytes in [bytes_of(&key, "sxt_"), bytes_of(&secret, "sxi_")] {
                assert_eq!(bytes.len(), 32);
                // No part of it is the same in two of them.
                for (place, part) in bytes.chunks(8).enumerate() {
                    assert!(seen.insert((place, part.to_vec())), "{place}");
                }
            }
        }
    }
}
