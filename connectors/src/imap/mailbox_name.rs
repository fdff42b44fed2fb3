//! Names of mailboxes in modified UTF-7 (RFC 3501 §5.1.3): `Entw&APw-rfe`.

use base64::Engine as _;
use base64::alphabet::IMAP_MUTF7;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// No padding, and what the last character has too much is not looked at.
const CONFIG: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_encode_padding(false)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const ENGINE: GeneralPurpose = GeneralPurpose::new(&IMAP_MUTF7, CONFIG);

/// The name as a person reads it. One that is not in this notation is taken as it stands: there are servers that send UTF-8.
pub(super) fn decode_name(name: &str) -> String {
    try_decode(name).unwrap_or_else(|| name.to_owned())
}

fn try_decode(name: &str) -> Option<String> {
    let mut decoded = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((plain, behind)) = rest.split_once('&') {
        decoded.push_str(plain);
        let (shifted, after) = behind.split_once('-')?;
        match shifted {
            "" => decoded.push('&'),
            shifted => decoded.push_str(&decode_shifted(shifted)?),
        }
        rest = after;
    }
    decoded.push_str(rest);
    Some(decoded)
}

fn decode_shifted(shifted: &str) -> Option<String> {
    let bytes = ENGINE.decode(shifted).ok()?;
    let units = bytes.chunks_exact(2).map(|pair| match pair {
        [high, low] => u16::from_be_bytes([*high, *low]),
        _ => 0,
    });
    String::from_utf16(&units.collect::<Vec<_>>()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        for (written, name) in [
            ("INBOX", "INBOX"),
            ("Entw&APw-rfe", "Entwürfe"),
            ("~peter/mail/&U,BTFw-/&ZeVnLIqe-", "~peter/mail/台北/日本語"),
            ("Jack &- Jill", "Jack & Jill"),
            ("&2D3eAA-", "😀"),
            ("&AOQA9gD8-", "äöü"),
            // None of this notation.
            ("R&D", "R&D"),
            ("a&!!-", "a&!!-"),
            ("&2D0-", "&2D0-"),
            ("Entwürfe", "Entwürfe"),
        ] {
            assert_eq!(decode_name(written), name, "{written}");
        }
    }
}
