//! The one place where randomness is drawn.

use std::fmt;

use uuid::Uuid;

/// The operating system gave no randomness.
#[derive(Debug)]
pub struct Unavailable;

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the operating system gives no randomness")
    }
}

impl std::error::Error for Unavailable {}

/// `N` random bytes.
///
/// # Errors
/// When the operating system gives none.
#[expect(clippy::disallowed_methods, reason = "this is that one place")]
pub fn bytes<const N: usize>() -> Result<[u8; N], Unavailable> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Unavailable)?;
    Ok(bytes)
}

/// A random (version 4) identifier.
///
/// # Errors
/// When the operating system gives no randomness.
pub fn identifier() -> Result<Uuid, Unavailable> {
    Ok(uuid::Builder::from_random_bytes(bytes()?).into_uuid())
}

/// A random number; the middle of its range when the operating system gives no randomness.
pub fn draw() -> u16 {
    bytes().map_or(u16::MAX / 2, u16::from_le_bytes)
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// base64url without padding (RFC 4648 §5).
pub fn base64url(bytes: &[u8]) -> String {
    bytes.chunks(3).flat_map(encode_chunk).collect()
}

/// The bytes of such a text; none if it is any other than [`base64url`] would have made of them.
pub fn from_base64url(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    for chunk in text.as_bytes().chunks(4) {
        let group = chunk.iter().try_fold(0u32, |group, letter| {
            let value = ALPHABET.iter().position(|known| known == letter)?;
            Some(group << 6 | u32::try_from(value).ok()?)
        })?;
        let [_, decoded @ ..] = (group << (6 * (4 - chunk.len()))).to_be_bytes();
        bytes.extend(decoded.iter().take(chunk.len() - 1));
    }
    (base64url(&bytes) == text).then_some(bytes)
}

fn encode_chunk(chunk: &[u8]) -> impl Iterator<Item = char> {
    let group = (0..3).fold(0u32, |group, place| {
        group << 8 | u32::from(chunk.get(place).copied().unwrap_or(0))
    });
    (0..=chunk.len()).map(move |place| {
        let index = (group >> (18 - 6 * place)) & 0x3f;
        char::from(ALPHABET.get(index as usize).copied().unwrap_or(b'A'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64url_follows_the_vectors_of_rfc_4648() {
        for (plain, encoded) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64url(plain.as_bytes()), encoded);
            assert_eq!(from_base64url(encoded).unwrap(), plain.as_bytes());
        }
        for malformed in ["Z", "Zg==", "Zh", "Zm9=", "Zm8v+", "Zm 9"] {
            assert_eq!(from_base64url(malformed), None, "{malformed}");
        }
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
    }
}
