//! A key, and the name by which a sealed text says which one it needs.

use std::fmt;

use ring::aead::{CHACHA20_POLY1305, LessSafeKey, UnboundKey};
use sextant_actors::random::{self, Unavailable};
use sha2::{Digest as _, Sha256};

/// Bytes of a key.
const KEY_BYTES: usize = 32;
/// Bytes of a name.
pub(super) const NAME_BYTES: usize = 8;
/// What stands before a key when its name is made, so that the name is the digest of nothing else.
const NAME_CONTEXT: &[u8] = b"sextant key name 1";

/// A key of ChaCha20-Poly1305 (RFC 8439). Neither `Debug` nor anything else shows it.
pub struct SealingKey {
    cipher: LessSafeKey,
    name: KeyName,
    text: String,
}

/// A key's name: the beginning of a digest of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyName(pub(super) [u8; NAME_BYTES]);

impl SealingKey {
    /// A new one.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn generate() -> Result<Self, Unavailable> {
        let bytes = random::bytes::<KEY_BYTES>()?;
        Self::of_bytes(&bytes).ok_or(Unavailable)
    }

    /// Reads a key as it stands in its file or the environment: base64url of 32 bytes, space around it aside.
    pub fn parse(text: &str) -> Option<Self> {
        Self::of_bytes(&random::from_base64url(text.trim())?)
    }

    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let unbound = UnboundKey::new(&CHACHA20_POLY1305, bytes).ok()?;
        let digest = Sha256::new_with_prefix(NAME_CONTEXT).chain_update(bytes);
        let name = digest.finalize().first_chunk().copied()?;
        Some(Self {
            cipher: LessSafeKey::new(unbound),
            name: KeyName(name),
            text: random::base64url(bytes),
        })
    }

    /// Its name.
    pub const fn name(&self) -> KeyName {
        self.name
    }

    pub(super) const fn cipher(&self) -> &LessSafeKey {
        &self.cipher
    }

    /// As it stands in its file.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealingKey({})", self.name)
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
