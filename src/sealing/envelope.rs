//! The bytes of a sealed text: version (1), the key's name (8), nonce (12), then the text and its tag (16).

use ring::aead::{Aad, CHACHA20_POLY1305, NONCE_LEN, Nonce};
use sextant_actors::random;
use uuid::Uuid;

use super::error::SealError;
use super::key::{KeyName, NAME_BYTES, SealingKey};

/// The only version so far.
const VERSION: u8 = 1;
/// What a text is bound to, before the sign-in's id.
const PURPOSE: &[u8] = b"sextant sign-in 1";

/// A sealed text that has been taken apart.
pub(super) struct SealedEnvelope<'a> {
    pub(super) key: KeyName,
    nonce: [u8; NONCE_LEN],
    sealed: &'a [u8],
}

impl<'a> SealedEnvelope<'a> {
    /// Takes it apart; `None` for what never was one.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&[VERSION])?;
        let (name, rest) = rest.split_first_chunk::<NAME_BYTES>()?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE_LEN>()?;
        (sealed.len() >= CHACHA20_POLY1305.tag_len()).then_some(Self {
            key: KeyName(*name),
            nonce: *nonce,
            sealed,
        })
    }

    /// The text, if the key sealed it for this sign-in and no bit is another.
    pub(super) fn open(&self, key: &SealingKey, sign_in: Uuid) -> Option<Vec<u8>> {
        let mut bytes = self.sealed.to_vec();
        let nonce = Nonce::assume_unique_for_key(self.nonce);
        let opened = key
            .cipher()
            .open_in_place(nonce, bound_to(sign_in), &mut bytes);
        let length = opened.ok()?.len();
        bytes.truncate(length);
        Some(bytes)
    }
}

/// Seals a text. The nonce is random: a key seals far fewer texts than would make two alike likely.
pub(super) fn seal(key: &SealingKey, sign_in: Uuid, text: &[u8]) -> Result<Vec<u8>, SealError> {
    let nonce = random::bytes::<NONCE_LEN>().map_err(SealError::NoRandomness)?;
    let mut sealed = text.to_vec();
    key.cipher()
        .seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            bound_to(sign_in),
            &mut sealed,
        )
        .map_err(|_| SealError::TooLong)?;
    let KeyName(name) = key.name();
    Ok([&[VERSION], &name[..], &nonce[..], &sealed[..]].concat())
}

fn bound_to(sign_in: Uuid) -> Aad<Vec<u8>> {
    Aad::from([PURPOSE, sign_in.as_bytes()].concat())
}
