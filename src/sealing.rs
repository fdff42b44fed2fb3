//! Credentials at rest: a sign-in's secret as it stands in the database, sealed with a key that is kept outside of it.
//!
//! ```text
//! key.rs        a key and its name       envelope.rs   the bytes of a sealed text, bound to their sign-in
//! key_file.rs   the key in the data directory    error.rs   why a text was not sealed, or does not open
//! ```
//!
//! Each sealed text names its key, so that two keys can serve while one replaces the other, and one whose key is lost says which it
//! was. It is bound to its sign-in: moved to another row it does not open.

mod envelope;
mod error;
mod key;
mod key_file;

use uuid::Uuid;

use self::envelope::SealedEnvelope;
use crate::config::Secret;

pub use self::error::{SealError, UnsealError};
pub use self::key::{KeyName, SealingKey};
pub use self::key_file::{KeyFile, KeyFileError};

/// The keys that are there: one seals, all open.
#[derive(Debug, Default)]
pub struct SealingKeys {
    current: Option<SealingKey>,
    previous: Option<SealingKey>,
}

impl SealingKeys {
    /// The key that seals, and one that was in use before and still opens.
    pub const fn new(current: Option<SealingKey>, previous: Option<SealingKey>) -> Self {
        Self { current, previous }
    }

    /// Seals a secret for its sign-in.
    ///
    /// # Errors
    /// Without a key, or without randomness.
    pub fn seal(&self, sign_in: Uuid, secret: &Secret) -> Result<Vec<u8>, SealError> {
        let key = self.current.as_ref().ok_or(SealError::NoKey)?;
        envelope::seal(key, sign_in, secret.expose().as_bytes())
    }

    /// Opens what was sealed for the sign-in.
    ///
    /// # Errors
    /// When its key is not here, or the bytes are not what was sealed.
    pub fn open(&self, sign_in: Uuid, sealed: &[u8]) -> Result<Secret, UnsealError> {
        let envelope = SealedEnvelope::parse(sealed).ok_or(UnsealError::Damaged)?;
        let keys = [&self.current, &self.previous];
        let mut keys = keys.into_iter().flatten();
        let key = keys.find(|key| key.name() == envelope.key);
        let key = key.ok_or(UnsealError::KeyMissing(envelope.key))?;
        let opened = envelope.open(key, sign_in).ok_or(UnsealError::Damaged)?;
        let text = String::from_utf8(opened).map_err(|_| UnsealError::Damaged)?;
        Ok(Secret::new(text))
    }

    /// Whether the text is sealed with the key that seals now.
    pub fn is_current(&self, sealed: &[u8]) -> bool {
        let current = self.current.as_ref().map(SealingKey::name);
        current.is_some() && current == SealedEnvelope::parse(sealed).map(|envelope| envelope.key)
    }
}
