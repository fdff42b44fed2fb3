//! Bytes to text, whatever the file claims about them.
//!
//! Files often name the wrong encoding: UTF-8 under a header that says 1252, Latin-1 where only UTF-8 is allowed. Bytes that are
//! valid UTF-8 are read as such, since other text hardly ever looks like it; all else is read in the encoding
//! the file names, or in windows-1252, the superset of Latin-1 that such files are really in.

pub(crate) mod lines;

use encoding_rs::{Encoding, WINDOWS_1252};

/// The text of some bytes; never fails. `declared` is what the file's header names, if it names anything known.
pub(crate) fn decode(bytes: &[u8], declared: Option<&'static Encoding>) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => decode_other(bytes, declared),
    }
}

fn decode_other(bytes: &[u8], declared: Option<&'static Encoding>) -> String {
    let encoding = declared
        .filter(|encoding| *encoding != encoding_rs::UTF_8)
        .unwrap_or(WINDOWS_1252);
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_by_its_bytes_first_and_by_its_header_second() {
        let table = [
            (&b"caf\xC3\xA9"[..], Some(WINDOWS_1252), "café"),
            (b"caf\xE9", None, "café"),
            (b"caf\xE9", Some(encoding_rs::UTF_8), "café"),
            (b"\x80 5", None, "€ 5"),
            (
                b"\xCC\xEE\xF1\xEA\xE2\xE0",
                Some(encoding_rs::WINDOWS_1251),
                "Москва",
            ),
        ];
        for (bytes, declared, text) in table {
            assert_eq!(decode(bytes, declared), text);
        }
    }
}
