//! Credentials at rest: a sign-in's secret as it stands in the database, sealed with a key that is kept outside of it.
//!
//! ```text
//! key.rs        a key and its name       envelope.rs   the bytes of a sealed text, bound to their sign-in
//! key_file.rs   the key in the data directory    error.rs   why a text was not sealed, or does not open
//! keyring.rs    the keys of the running service  rotation.rs  one on its way to replace another
//! ```
//!
//! Each sealed text names its key, so that two keys can serve while one replaces the other, and one whose key is lost says which it
//! was. It is bound to its sign-in: moved to another row it does not open.

mod envelope;
mod error;
mod key;
mod key_file;
mod keyring;
mod rotation;

use std::sync::Arc;

use uuid::Uuid;

use self::envelope::SealedEnvelope;
use crate::config::Secret;

pub use self::error::{KeyringError, SealError, UnsealError};
pub use self::key::{KeyName, SealingKey};
pub use self::key_file::{KeyFile, KeyFileError};
pub use self::keyring::{CredentialKeys, SealingTurn};
pub use self::rotation::{KeyRotation, ResealError};

/// Keys: one seals, all open.
#[derive(Debug, Default)]
pub struct SealingKeys {
    current: Option<Arc<SealingKey>>,
    others: Vec<Arc<SealingKey>>,
}

impl SealingKeys {
    /// The key that seals, and one that was in use before and still opens.
    pub fn new(current: Option<SealingKey>, previous: Option<SealingKey>) -> Self {
        let others = previous.into_iter().map(Arc::new);
        Self::shared(current.map(Arc::new), others.collect())
    }

    /// The key that seals, and others that only open; of each the first that is named.
    fn shared(current: Option<Arc<SealingKey>>, others: Vec<Arc<SealingKey>>) -> Self {
        let mut keys = Self {
            current,
            others: Vec::new(),
        };
        for other in others {
            if keys.find(other.name()).is_none() {
                keys.others.push(other);
            }
        }
        keys
    }

    /// All of them.
    fn all(&self) -> Vec<Arc<SealingKey>> {
        self.current.iter().chain(&self.others).cloned().collect()
    }

    fn find(&self, name: KeyName) -> Option<&SealingKey> {
        let mut keys = self.current.iter().chain(&self.others);
        keys.find(|key| key.name() == name).map(|key| &**key)
    }

    /// The name of the key that seals.
    fn current_name(&self) -> Option<KeyName> {
        self.current.as_deref().map(SealingKey::name)
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
        let key = self.find(envelope.key);
        let key = key.ok_or(UnsealError::KeyMissing(envelope.key))?;
        let opened = envelope.open(key, sign_in).ok_or(UnsealError::Damaged)?;
        let text = String::from_utf8(opened).map_err(|_| UnsealError::Damaged)?;
        Ok(Secret::new(text))
    }

    /// Whether the text is sealed with the key that seals now.
    pub fn is_current(&self, sealed: &[u8]) -> bool {
        let current = self.current_name();
        current.is_some() && current == SealedEnvelope::parse(sealed).map(|envelope| envelope.key)
    }
}
