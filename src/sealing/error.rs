//! Why a text was not sealed, or does not open.

use std::fmt;

use sextant_actors::random::Unavailable;

use super::key::KeyName;
use super::key_file::KeyFileError;

/// Why nothing could be sealed.
#[derive(Debug)]
pub enum SealError {
    /// There is no key.
    NoKey,
    /// The system gave no randomness for the nonce.
    NoRandomness(Unavailable),
    /// The cipher refused the text, which is longer than it can take.
    TooLong,
}

/// Why a sealed text does not open.
#[derive(Debug, PartialEq, Eq)]
pub enum UnsealError {
    /// It was sealed with a key that is not here: the credential must be entered again.
    KeyMissing(KeyName),
    /// It is not what was sealed for this sign-in.
    Damaged,
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKey => f.write_str("there is no key to seal credentials with"),
            Self::NoRandomness(cause) => cause.fmt(f),
            Self::TooLong => f.write_str("the credential is too long to be sealed"),
        }
    }
}

impl std::error::Error for SealError {}

impl fmt::Display for UnsealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeyMissing(name) => {
                write!(
                    f,
                    "the credential was sealed with the key {name}, which is not here"
                )
            }
            Self::Damaged => f.write_str("the stored credential is damaged"),
        }
    }
}

impl std::error::Error for UnsealError {}

/// Why there are no keys to work with.
#[derive(Debug)]
pub enum KeyringError {
    /// What this variable holds is no key.
    Variable(&'static str),
    /// The key's file.
    File(KeyFileError),
    /// There is none to replace.
    NoKey,
    /// A new key could not be made.
    Seal(SealError),
}

impl fmt::Display for KeyringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(
                f,
                "{name} is no key: it must be 32 random bytes in base64url, such as `openssl rand -base64 32 | tr '+/' '-_' | tr -d =` makes"
            ),
            Self::File(cause) => cause.fmt(f),
            Self::NoKey => {
                f.write_str("there is no key to replace: the first credential makes one")
            }
            Self::Seal(cause) => cause.fmt(f),
        }
    }
}

impl std::error::Error for KeyringError {}
