//! The keys of the running service: where they come from, and how one replaces another.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use sextant_actors::random;
use tokio::sync::{OwnedRwLockReadGuard, RwLock as TurnLock};
use uuid::Uuid;

use super::SealingKeys;
use super::error::{KeyringError, SealError, UnsealError};
use super::key::{KeyName, SealingKey};
use super::key_file::KeyFile;
use super::rotation::{KeyRotation, blocking};
use crate::config::Secret;

/// The keys that the service works with, shared by whoever seals and opens.
///
/// Who seals holds a [`SealingTurn`] until what was sealed is stored, so that no text is stored under a key that has just been replaced.
#[derive(Clone)]
pub struct CredentialKeys(Arc<Keyring>);

struct Keyring {
    source: KeySource,
    keys: RwLock<Arc<SealingKeys>>,
    turns: Arc<TurnLock<()>>,
}

/// Where the key that seals comes from.
enum KeySource {
    /// The environment: only a restart brings another.
    Environment,
    File(KeyFile),
}

impl CredentialKeys {
    /// The key of the environment if it has one, else that of the data directory, if there is one; and the one that was in use before.
    /// A file that cannot be used is told in the log: the service runs, and what needs the key says so. Blocking.
    ///
    /// # Errors
    /// When a variable holds something else than a key.
    pub fn open(
        [current, previous]: [Option<&Secret>; 2],
        data_dir: &Path,
    ) -> Result<Self, KeyringError> {
        let current = parse("SEXTANT_KEY", current)?;
        let previous = parse("SEXTANT_KEY_PREVIOUS", previous)?;
        if current.is_some() {
            let keys = SealingKeys::new(current, previous);
            return Ok(Self::of(KeySource::Environment, keys));
        }
        let file = KeyFile::of(data_dir);
        let others: Vec<_> = previous.into_iter().map(Arc::new).collect();
        let keys = read(&file, others.clone()).unwrap_or_else(|error| {
            log::error!("the key of credentials cannot be read: {error}");
            SealingKeys::shared(None, others)
        });
        Ok(Self::of(KeySource::File(file), keys))
    }

    fn of(source: KeySource, keys: SealingKeys) -> Self {
        Self(Arc::new(Keyring {
            source,
            keys: RwLock::new(Arc::new(keys)),
            turns: Arc::default(),
        }))
    }

    /// Opens what was sealed for the sign-in.
    ///
    /// # Errors
    /// When its key is not here, or the bytes are not what was sealed.
    pub fn open_sealed(&self, sign_in: Uuid, sealed: &[u8]) -> Result<Secret, UnsealError> {
        self.keys().open(sign_in, sealed)
    }

    /// The name of the key that seals, if there is one.
    pub fn current(&self) -> Option<KeyName> {
        self.keys().current_name()
    }

    /// A turn to seal. Where there is no key one is made, and on the disk when this returns.
    ///
    /// # Errors
    /// When there is no key and none can be made.
    pub async fn turn(&self) -> Result<SealingTurn, KeyringError> {
        if self.current().is_none() {
            self.make_first().await?;
        }
        let turn = Arc::clone(&self.0.turns).read_owned().await;
        Ok(SealingTurn {
            keys: self.keys(),
            _turn: turn,
        })
    }

    /// Begins to replace the key: waits until nobody seals, and makes the next one, which is on the disk when this returns, beside the
    /// old one. With a key of the environment the next one is that which is there.
    ///
    /// # Errors
    /// When there is no key, or the next one cannot be made.
    pub async fn begin_rotation(&self) -> Result<KeyRotation, KeyringError> {
        let turn = Arc::clone(&self.0.turns).write_owned().await;
        let file = match &self.0.source {
            KeySource::Environment => None,
            KeySource::File(file) => Some(file.clone()),
        };
        if let Some(file) = file.clone() {
            let before = self.keys();
            let both = blocking(move || with_next(&file, &before)).await?;
            self.replace(both);
        }
        Ok(KeyRotation {
            file,
            keys: self.keys(),
            turn,
        })
    }

    /// The key that the first credential is sealed with. One that somebody has put into its place meanwhile is taken.
    async fn make_first(&self) -> Result<(), KeyringError> {
        let KeySource::File(file) = &self.0.source else {
            return Ok(());
        };
        let _turn = self.0.turns.write().await;
        if self.current().is_some() {
            return Ok(());
        }
        let (file, before) = (file.clone(), self.keys());
        let keys = blocking(move || {
            let found = read(&file, before.all())?;
            if found.current_name().is_some() {
                return Ok(found);
            }
            file.create(&fresh()?).map_err(KeyringError::File)?;
            read(&file, before.all())
        });
        self.replace(keys.await?);
        Ok(())
    }

    fn keys(&self) -> Arc<SealingKeys> {
        let keys = self.0.keys.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&keys)
    }

    fn replace(&self, keys: SealingKeys) {
        let mut here = self.0.keys.write().unwrap_or_else(PoisonError::into_inner);
        *here = Arc::new(keys);
    }
}

/// The right to seal and store: as long as it is held, the key that seals stays the same.
#[derive(Debug)]
pub struct SealingTurn {
    keys: Arc<SealingKeys>,
    _turn: OwnedRwLockReadGuard<()>,
}

impl SealingTurn {
    /// Seals a secret for its sign-in.
    ///
    /// # Errors
    /// Without a key, or without randomness.
    pub fn seal(&self, sign_in: Uuid, secret: &Secret) -> Result<Vec<u8>, SealError> {
        self.keys.seal(sign_in, secret)
    }
}

/// Those of the file: the next one, if a rotation was cut off, else its own; and others that open.
fn read(file: &KeyFile, others: Vec<Arc<SealingKey>>) -> Result<SealingKeys, KeyringError> {
    let next = file.next().read().map_err(KeyringError::File)?;
    let own = file.read().map_err(KeyringError::File)?;
    let mut keys: Vec<_> = [next, own].into_iter().flatten().map(Arc::new).collect();
    let current = (!keys.is_empty()).then(|| keys.remove(0));
    keys.extend(others);
    Ok(SealingKeys::shared(current, keys))
}

/// Makes the next key, unless a rotation that was cut off has.
fn with_next(file: &KeyFile, before: &SealingKeys) -> Result<SealingKeys, KeyringError> {
    let own = file.read().map_err(KeyringError::File)?;
    let next = file.next();
    if own.is_none() {
        return Err(KeyringError::NoKey);
    }
    if next.read().map_err(KeyringError::File)?.is_none() {
        next.create(&fresh()?).map_err(KeyringError::File)?;
    }
    read(file, before.all())
}

fn fresh() -> Result<SealingKey, KeyringError> {
    let made = SealingKey::generate();
    made.map_err(|cause: random::Unavailable| KeyringError::Seal(SealError::NoRandomness(cause)))
}

fn parse(
    variable: &'static str,
    text: Option<&Secret>,
) -> Result<Option<SealingKey>, KeyringError> {
    let key = text.map(|text| SealingKey::parse(text.expose()));
    match key {
        Some(None) => Err(KeyringError::Variable(variable)),
        key => Ok(key.flatten()),
    }
}

impl fmt::Debug for CredentialKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CredentialKeys").field(&self.keys()).finish()
    }
}
