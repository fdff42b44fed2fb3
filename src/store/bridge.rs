//! What the OAuth bridge keeps: clients that registered themselves, and their sign-ins with agents' keys. Of a token, only its hash.

pub(crate) mod clients;
pub(crate) mod rotation;
pub(crate) mod sign_ins;

use sextant_actors::domain::Digest;

use crate::db::StoreError;

/// A stored hash.
///
/// # Errors
/// When it is none: such a row was not written by this program.
fn digest(stored: &[u8]) -> Result<Digest, StoreError> {
    Digest::from_stored(stored).ok_or_else(|| StoreError::Fault {
        cause: "a row of the bridge holds no hash".to_owned(),
    })
}
