//! Quoted-printable values (RFC 2045 §6.7) and the charset of a single property, both of vCard 2.1: bytes to text.

use encoding_rs::Encoding;

use crate::text::decode;

/// The text of a value that may be quoted-printable, in the charset that it names. A quoted semicolon is no
/// separator, so it is escaped.
pub(super) fn text_of(value: &[u8], is_quoted: bool, charset: Option<&str>) -> String {
    let declared = charset.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    let unquoted;
    let bytes = if is_quoted {
        unquoted = unquote(value);
        &unquoted
    } else {
        value
    };
    match declared.filter(|encoding| !encoding.is_ascii_compatible()) {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        None => decode(bytes, declared),
    }
}

/// Decodes quoted-printable; a `=` without two hexadecimal digits after it is kept.
fn unquote(value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, after @ ..] = rest {
        match (first, after) {
            (b'=', [high, low, after @ ..]) if is_hex(*high) && is_hex(*low) => {
                let byte = digit(*high) << 4 | digit(*low);
                if byte == b';' {
                    bytes.push(b'\\');
                }
                bytes.push(byte);
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

fn digit(byte: u8) -> u8 {
    let digit = char::from(byte).to_digit(16).unwrap_or_default();
    u8::try_from(digit).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_read_in_its_own_charset() {
        let table = [
            ("M=FCller", Some("ISO-8859-1"), "Müller"),
            ("M=C3=BCller", Some("UTF-8"), "Müller"),
            ("M=FCller", None, "Müller"),
            ("=83=65=83=58=83=67", Some("Shift_JIS"), "テスト"),
            ("a=3Bb", None, "a\\;b"),
            ("1=1 =x =", None, "1=1 =x ="),
            ("=1B$B%F%9%H=1B(B", Some("ISO-2022-JP"), "テスト"),
        ];
        for (value, charset, text) in table {
            assert_eq!(text_of(value.as_bytes(), true, charset), text, "{value}");
        }
    }
}
