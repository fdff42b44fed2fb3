//! The texts of tokens. A refresh token names its sign-in, so that one that was used before is known for what it is; the pair after a
//! rotation is derived from the token that was used and a seed, so that it can be given again without being kept.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sextant_actors::domain::Digest;
use sextant_actors::random::{self, Unavailable};
use sha2::Sha256;
use uuid::Uuid;

/// What each kind of text begins with, so that a leaked one can be recognised.
const CODE_PREFIX: &str = "sxo_";
const ACCESS_PREFIX: &str = "sxa_";
const REFRESH_PREFIX: &str = "sxr_";
/// Bytes of randomness in each.
const TOKEN_BYTES: usize = 32;
/// A block of SHA-256.
const BLOCK_BYTES: usize = 64;
/// Letters of a sign-in's id in a refresh token: base64url of its 16 bytes.
const ID_LETTERS: usize = 22;

/// An access token and the refresh token that renews it. Neither is kept, logged or shown but in the one answer.
pub(crate) struct TokenPair {
    /// Which sign-in they are of.
    pub sign_in: Uuid,
    pub access: String,
    pub refresh: String,
}

impl TokenPair {
    /// The pair of a sign-in that follows from this seed and the text that it is given in exchange for.
    pub(super) fn derive(sign_in: Uuid, seed: &[u8; TOKEN_BYTES], given: &str) -> Self {
        let derive = |use_of_it: &[u8]| {
            let mut mac = keyed(seed);
            mac.update(use_of_it);
            mac.update(given.as_bytes());
            random::base64url(&mac.finalize().into_bytes())
        };
        let (access, refresh) = (derive(b"access\0"), derive(b"refresh\0"));
        let id = random::base64url(sign_in.as_bytes());
        Self {
            sign_in,
            access: format!("{ACCESS_PREFIX}{access}"),
            refresh: format!("{REFRESH_PREFIX}{id}{refresh}"),
        }
    }

    pub(super) fn access_digest(&self) -> Digest {
        digest(&self.access)
    }

    pub(super) fn refresh_digest(&self) -> Digest {
        digest(&self.refresh)
    }
}

/// A shorter key than a block is filled with zeros (RFC 2104 §2).
fn keyed(seed: &[u8; TOKEN_BYTES]) -> Hmac<Sha256> {
    let mut block = [0; BLOCK_BYTES];
    if let Some(start) = block.first_chunk_mut() {
        *start = *seed;
    }
    Hmac::<Sha256>::new(&block.into())
}

/// The sign-in that a refresh token names; `None` if it is none.
pub(super) fn sign_in_of(refresh: &str) -> Option<Uuid> {
    let id = refresh.strip_prefix(REFRESH_PREFIX)?.get(..ID_LETTERS)?;
    Uuid::from_slice(&random::from_base64url(id)?).ok()
}

/// The hash of a code or token, as it is kept and looked up.
pub(super) fn digest(text: &str) -> Digest {
    Digest::of(text)
}

/// A seed of its own.
///
/// # Errors
/// When the system gives no randomness.
pub(super) fn seed() -> Result<[u8; TOKEN_BYTES], Unavailable> {
    random::bytes()
}

/// A code: 256 random bits.
///
/// # Errors
/// When the system gives no randomness.
pub(super) fn code() -> Result<String, Unavailable> {
    let bytes = random::bytes::<TOKEN_BYTES>()?;
    Ok(format!("{CODE_PREFIX}{}", random::base64url(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_follows_from_its_seed_and_from_what_it_is_given_for_alone() {
        let (id, seeds) = (Uuid::from_u128(7), [seed().unwrap(), seed().unwrap()]);
        let of = |seed, given| TokenPair::derive(id, seed, given);
        let pair = of(&seeds[0], "given");
        let again = of(&seeds[0], "given");
        assert_eq!(
            (pair.access.as_str(), pair.refresh.as_str()),
            (again.access.as_str(), again.refresh.as_str())
        );
        for other in [of(&seeds[1], "given"), of(&seeds[0], "other")] {
            assert_ne!(pair.access, other.access);
            assert_ne!(pair.refresh, other.refresh);
        }
        assert_eq!(pair.access.len(), 4 + 43);
        assert_eq!(sign_in_of(&pair.refresh), Some(id));
        assert!(!pair.refresh.ends_with(&pair.access[4..]));
    }

    #[test]
    fn what_is_no_refresh_token_names_no_sign_in() {
        for text in [
            "",
            "sxr_",
            "sxr_short",
            "sxa_AAAAAAAAAAAAAAAAAAAAAAAAA",
            "sxr_\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}",
        ] {
            assert_eq!(sign_in_of(text), None, "{text}");
        }
    }
}
