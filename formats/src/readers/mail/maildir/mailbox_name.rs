//! The mailbox that a folder of mail is, by its name: dots between the names (Maildir++), each as IMAP writes it.

use base64::Engine as _;
use base64::alphabet::IMAP_MUTF7;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};

use super::super::mailbox::MessageMailbox;

/// The mailbox of a folder by its path below the root of its tree.
pub(super) fn mailbox_named(name: &str) -> MessageMailbox {
    let names = name
        .split('/')
        .flat_map(|name| match name.strip_prefix('.') {
            Some(dotted) => dotted.split('.').collect(),
            None => vec![name],
        });
    let names: Vec<_> = names
        .filter(|name| !name.is_empty())
        .map(readable)
        .collect();
    MessageMailbox::at(&names.join("/"))
}

/// A mailbox's name from the modified UTF-7 of IMAP (RFC 3501 §5.1.3), if that is what it is in.
fn readable(name: &str) -> String {
    decode_name(name).unwrap_or_else(|| name.to_owned())
}

fn decode_name(name: &str) -> Option<String> {
    let engine = GeneralPurpose::new(&IMAP_MUTF7, NO_PAD.with_decode_allow_trailing_bits(true));
    let mut parts = name.split('&');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (encoded, plain) = part.split_once('-')?;
        if encoded.is_empty() {
            text.push('&');
        }
        let bytes = engine.decode(encoded).ok()?;
        let units = bytes
            .chunks_exact(2)
            .filter_map(|unit| unit.try_into().ok());
        let units: Vec<u16> = units.map(u16::from_be_bytes).collect();
        text.push_str(&String::from_utf16(&units).ok()?);
        text.push_str(plain);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_imap_are_read() {
        let table = [
            ("Entw&APw-rfe", "Entwürfe"),
            ("Tom &- Ann", "Tom & Ann"),
            ("&U,BTFw-", "台北"),
            ("a&b", "a&b"),
        ];
        for (name, expected) in table {
            assert_eq!(readable(name), expected);
        }
    }
}
