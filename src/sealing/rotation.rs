//! A key on its way to replace another.

use std::fmt;
use std::sync::Arc;

use tokio::sync::OwnedRwLockWriteGuard;
use uuid::Uuid;

use super::SealingKeys;
use super::error::{KeyringError, SealError, UnsealError};
use super::key_file::KeyFile;

/// A key on its way to replace another: both open, the next one seals, and nobody else seals meanwhile. Dropped at any moment it leaves
/// both keys on the disk, and the next rotation goes on from there.
pub struct KeyRotation {
    pub(super) file: Option<KeyFile>,
    pub(super) keys: Arc<SealingKeys>,
    pub(super) turn: OwnedRwLockWriteGuard<()>,
}

impl KeyRotation {
    /// The sealed text under the next key; `None` if it is under it already.
    ///
    /// # Errors
    /// When its key is not here, or the bytes are not what was sealed; or nothing can be sealed.
    pub fn reseal(&self, sign_in: Uuid, sealed: &[u8]) -> Result<Option<Vec<u8>>, ResealError> {
        if self.keys.is_current(sealed) {
            return Ok(None);
        }
        let secret = self.keys.open(sign_in, sealed);
        let secret = secret.map_err(ResealError::Lost)?;
        let sealed = self.keys.seal(sign_in, &secret);
        sealed.map(Some).map_err(ResealError::Seal)
    }

    /// Has the next key take the place of the old one on the disk. The old one stays in memory, for who has read a text just before.
    ///
    /// # Errors
    /// When the disk fails: both are still there then.
    pub async fn finish(self) -> Result<(), KeyringError> {
        if let Some(file) = self.file {
            blocking(move || file.take_next().map_err(KeyringError::File)).await?;
        }
        drop(self.turn);
        Ok(())
    }
}

/// Why a text is not under the next key.
#[derive(Debug)]
pub enum ResealError {
    /// It does not open: it stays as it is, under the name of its key.
    Lost(UnsealError),
    /// It cannot be sealed.
    Seal(SealError),
}

impl fmt::Display for ResealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(cause) => cause.fmt(f),
            Self::Seal(cause) => cause.fmt(f),
        }
    }
}

impl std::error::Error for ResealError {}

/// The disk, on a thread that may block.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, KeyringError> + Send + 'static,
) -> Result<T, KeyringError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or(Err(KeyringError::Seal(SealError::NoKey)))
}
